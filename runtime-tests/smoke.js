/** The selector as an application uses it, with every backend of the runtime. */
import { isAeadError } from '@aeadkit/core'
import { restoreSelection, selectAead } from '@aeadkit/selector'
import * as umbrella from 'aeadkit'

const text = (value) => new TextEncoder().encode(value)

function check(condition, message) {
  if (!condition) throw new Error(message)
}

async function codeOf(call) {
  try {
    await call()
    return 'accepted'
  } catch (error) {
    return isAeadError(error) ? error.code : `${error?.name}: ${error?.message}`
  }
}

/** A selection whose algorithm is fixed, made once on Node; every runtime must be able to restore it. */
const STORED = (algorithm) =>
  JSON.stringify({
    algorithm,
    backend: 'node',
    verdict: { class: 'portable', rules: ['V17'], reasons: ['stored'], asOf: '2026-11-30', rejected: [] },
    limits: { messages: '1048576', bindingBound: 'none', rekeyAfterMessages: null, basis: 'formula' },
    evidence: { aes: 'yes', clmul: 'yes', source: 'measured', fips: { state: 'off' }, measurements: [] },
    duties: [],
    inputs: {
      context: 'own-protocol',
      readers: 'anywhere',
      lifetime: 'frozen',
      nonce: 'random',
      volume: { messages: '1048576', messageBytes: '16384', aadBytes: '0', failedOpens: '1048576' },
      rekey: 'impossible',
      target: -57,
      nonceTarget: -57,
      fips: 'off',
      constantTime: 'required',
      sync: false,
    },
  })

/**
 * Declares the cases.
 * @param options.measure - `never` where the clock does not move.
 */
export function smokeCases({ describe, it }, backends, { measure = 'cached' } = {}) {
  describe('selector', () => {
    it('without options picks xchacha20-poly1305, and a sealer of it returns what it was given', async () => {
      const pick = await selectAead({ backends, measure })
      check(pick.algorithm === 'xchacha20-poly1305', `picked ${pick.algorithm}`)
      const sealer = await pick.createSealer(pick.generateKey())
      const box = await sealer.encrypt(text('hello'), text('context'))
      check(
        String(await sealer.decrypt(box, text('context'))) === String(text('hello')),
        'other bytes came back',
      )
      check(
        (await codeOf(() => sealer.decrypt(box, text('other')))) === 'auth-failed',
        'other AAD is not auth-failed',
      )
      sealer.destroy()
    })
    it('a selection restored from its JSON opens what the first one sealed', async () => {
      const pick = await selectAead({ backends, measure })
      const key = pick.generateKey()
      const box = await (await pick.createSealer(key)).encrypt(text('stored'))
      const again = await restoreSelection(JSON.stringify(pick), { backends })
      check(again.algorithm === pick.algorithm, `restored ${again.algorithm}`)
      const opened = await (await again.createSealer(key)).decrypt(box)
      check(String(opened) === String(text('stored')), 'other bytes came back')
    })
    it('a selection stored on another machine is restored to the same algorithm', async () => {
      for (const algorithm of ['aes-256-gcm', 'chacha20-poly1305', 'xchacha20-poly1305']) {
        const again = await restoreSelection(STORED(algorithm), { backends })
        check(again.algorithm === algorithm, `restored ${again.algorithm} for ${algorithm}`)
      }
    })
    it('every permitted algorithm named outright is picked and works', async () => {
      for (const algorithm of ['aes-256-gcm', 'chacha20-poly1305', 'xchacha20-poly1305']) {
        const pick = await selectAead({ backends, measure, algorithm, constantTime: 'preferred' })
        const aead = await pick.createAead(new Uint8Array(pick.params.keyBytes).fill(7))
        const nonce = new Uint8Array(pick.params.nonceBytes)
        const sealed = await aead.seal(nonce, text('named'))
        check(String(await aead.open(nonce, sealed)) === String(text('named')), `${algorithm}: other bytes`)
        aead.destroy()
      }
    })
    it('the umbrella needs no argument and names what it could not load', async () => {
      const { backends: own, unavailable } = await umbrella.loadBackends()
      check(own.length > 0, 'it loaded no backend')
      for (const { name, reason } of unavailable)
        check(reason.length > 0, `${name} is unavailable without a reason`)
      const pick = await umbrella.selectAead({ measure })
      check(pick.algorithm === 'xchacha20-poly1305', `picked ${pick.algorithm}`)
      const sealer = await pick.createSealer(pick.generateKey())
      const opened = await sealer.decrypt(await sealer.encrypt(text('umbrella')))
      check(String(opened) === String(text('umbrella')), 'other bytes came back')
    })
    it('refusals carry the codes they carry everywhere', async () => {
      const codes = {
        'invalid-argument': () => selectAead({ backends, measure, nonse: 'random' }),
        'no-candidate': () => selectAead({ backends, measure, algorithm: 'kuznyechik-mgm' }),
        'fips-unavailable': () => selectAead({ backends, measure, fips: 'module' }),
      }
      for (const [code, call] of Object.entries(codes)) {
        const seen = await codeOf(call)
        check(seen === code, `expected ${code}, got ${seen}`)
      }
    })
  })
}
