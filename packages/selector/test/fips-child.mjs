// Prints the FIPS evidence of this process. Runs over the built package: Node 20 does not read TypeScript.
import crypto from 'node:crypto'
import { collectEvidence } from '../dist/index.js'

if (process.argv[2] === 'setFips') crypto.setFips(1)
const { fips, items } = await collectEvidence({ measure: 'never', certificate: 'operator says #0000' })
console.log(JSON.stringify({ fips, items }))
