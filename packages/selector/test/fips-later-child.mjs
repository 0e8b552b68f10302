// Selects while FIPS is off, asks for it, and prints what can still be made. Runs over the built package.
import crypto from 'node:crypto'
import { nodeBackend } from '@aeadkit/backend-node'
import { collectEvidence, restoreSelection, selectAead } from '../dist/index.js'

const backends = [nodeBackend]
const code = (error) => error.code ?? String(error)
async function made(pick) {
  const nonces = { kind: 'counter', fixedField: new Uint8Array(4), start: 0 }
  const all = [
    pick.createAead(new Uint8Array(pick.params.keyBytes)),
    pick.createSealer(pick.generateKey(), { nonces }),
  ]
  return (await Promise.allSettled(all)).map((one) =>
    one.status === 'fulfilled' ? 'made' : code(one.reason),
  )
}

const options = { backends, nonce: 'counter', measure: 'never' }
const pick = await selectAead(options)
const explicit = await selectAead({ ...options, fips: 'off' })
const restored = await restoreSelection(JSON.stringify(pick), { backends })
const evidence = await collectEvidence({ measure: 'never' })
const before = { fips: pick.inputs.fips, made: await made(pick) }
crypto.setFips(1)
const stale = await selectAead({ ...options, evidence })
console.log(
  JSON.stringify({
    before,
    later: await made(pick),
    restored: await made(restored),
    explicit: await made(explicit),
    stale: { fips: stale.inputs.fips, algorithm: stale.algorithm, state: stale.evidence.fips.state },
    staleRestored: await restoreSelection(pick.toJSON(), { backends, evidence }).then(() => 'restored', code),
  }),
)
