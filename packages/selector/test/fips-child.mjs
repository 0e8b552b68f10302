// Prints the FIPS evidence of this process. Runs over the built package: Node 20 does not read TypeScript.
import crypto from 'node:crypto'
import { collectFips } from '../dist/evidence/fips.js'
import { createHost } from '../dist/host.js'

if (process.argv[2] === 'setFips') crypto.setFips(1)
console.log(JSON.stringify(collectFips(createHost(), 'operator says #0000')))
