// One selection with its rows, as one line of JSON: a process of its own for each, so that all are cold.
import { machine } from '../runtime.ts'
import { ASKED, type Asked, measureRegret } from './measure.ts'

const [asked = 'auto', rounds = '9', sampleMs = '1', warmMs = '30'] = process.argv.slice(2)
if (!ASKED.includes(asked as Asked)) throw new Error(`unknown: ${asked}; known are ${ASKED.join(', ')}`)
const effort = { rounds: Number(rounds), sampleMs: Number(sampleMs), warmMs: Number(warmMs) }
const run = await measureRegret(asked as Asked, effort)
console.log(JSON.stringify({ machine: machine(), ...run }))
