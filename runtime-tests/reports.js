/** Faults that users reported of such libraries and that a runtime can bring back, by their report. */
import { ALGORITHMS, createAead, createSealer, importKey, isAeadError } from '@aeadkit/core'
import { collectEvidence, selectAead } from '@aeadkit/selector'

const KEY = Uint8Array.from({ length: 32 }, (_, i) => (7 * i + 3) & 0xff)
const NONCE = Uint8Array.from({ length: 12 }, (_, i) => 0xa0 + i)
const PLAINTEXT = new TextEncoder().encode('cipher-select probe é')
const AAD = new TextEncoder().encode('hdr:v1')

/** From Node, @noble/ciphers and libsodium. */
const CHACHA = '2d140abd676b3936a14797f20758bda44ce1222dc48712eeb74fc04bb5ef7aaa4b8c508c8be6'

/** Ciphers of OpenSSL's legacy provider, and names that some runtime takes for another spelling. */
const NO_ALGORITHMS = ['bf-cbc', 'rc4', 'des-ede3-cbc', 'AES-256-GCM', 'aes-192-gcm', 'toString', '__proto__']

function check(condition, message) {
  if (!condition) throw new Error(message)
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

async function codeOf(call) {
  try {
    await call()
    return 'accepted'
  } catch (error) {
    return isAeadError(error) ? error.code : `${error?.name}: ${error?.message}`
  }
}

/** Nanoseconds of a message at a speed in MB/s. */
const timing = (backend, algorithm, bytes, speed) => ({
  ...{ backend, algorithm, operation: 'seal', bytes },
  nanoseconds: (bytes * 1000) / speed,
})

async function firstOf(backend) {
  for (const id of backend.algorithms) if ((await backend.probe(id)).available) return id
  return undefined
}

/** Declares the cases. */
export function reportCases({ describe, it }, backends) {
  describe('reports', () => {
    for (const bytes of [2 ** 31 - 1, 2 ** 31]) {
      it(`R07: a message of ${bytes} bytes is limit-exceeded on every backend`, async () => {
        let long
        try {
          long = new Uint8Array(bytes)
        } catch (error) {
          // Nobody can ask for it here.
          check(error instanceof RangeError, String(error))
          return
        }
        for (const backend of backends) {
          const id = await firstOf(backend)
          if (id === undefined) continue
          const { keyBytes, nonceBytes } = ALGORITHMS[id]
          const aead = await createAead(backend, id, new Uint8Array(keyBytes))
          const nonce = new Uint8Array(nonceBytes)
          const codes = [await codeOf(() => aead.seal(nonce, long))]
          // One byte less and its tag would be a message of the greatest length.
          if (bytes === 2 ** 31) codes.push(await codeOf(() => aead.open(nonce, long)))
          for (const code of codes) check(code === 'limit-exceeded', `${backend.name}: ${code}`)
          aead.destroy()
        }
      })
    }
    it('R08: a message one byte longer than 32 KiB seals and opens in one call, whatever the mode', async () => {
      const long = new Uint8Array(32_769).fill(7)
      for (const backend of backends) {
        for (const id of backend.algorithms) {
          if (!(await backend.probe(id)).available) continue
          const { keyBytes, nonceBytes, tagBytes } = ALGORITHMS[id]
          const aead = await createAead(backend, id, new Uint8Array(keyBytes))
          const sealed = await aead.seal(new Uint8Array(nonceBytes), long, AAD)
          check(sealed.length === long.length + tagBytes, `${backend.name} / ${id}: ${sealed.length} bytes`)
          const opened = await aead.open(new Uint8Array(nonceBytes), sealed, AAD)
          check(opened.length === long.length, `${backend.name} / ${id}: opens to ${opened.length} bytes`)
          check(
            opened.every((byte) => byte === 7),
            `${backend.name} / ${id}: opens to other bytes`,
          )
          aead.destroy()
        }
      }
    })
    it('R09: for small messages a call that costs much is not taken, though its cipher may be faster', async () => {
      const slow = backends.find(({ name }) => name === 'webcrypto')
      const direct = backends.find(({ name }) => name === 'noble')
      if (slow === undefined || !(await slow.probe('aes-128-gcm')).available) return
      // Two sizes: one cannot tell the cost of a call from that of a byte.
      const measurements = [64, 256].flatMap((bytes) => [
        timing('webcrypto', 'aes-128-gcm', bytes, (0.5 * bytes) / 64),
        timing('webcrypto', 'chacha20-poly1305', bytes, (0.5 * bytes) / 64),
        timing('noble', 'chacha20-poly1305', bytes, 1.1),
      ])
      const given = { measurements, aes: 'yes', clmul: 'yes', hardwareClass: 'hardware' }
      const pick = await selectAead({
        backends: [slow, direct],
        ...{ readers: 'here', nonce: 'counter', profile: 'small-messages', volume: { messageBytes: 64 } },
        evidence: await collectEvidence({ measure: 'never', given }),
      })
      check(
        pick.algorithm === 'chacha20-poly1305' && pick.backend === 'noble',
        `${pick.algorithm}, ${pick.backend}`,
      )
      // A library without a constant-time claim for AES leaves ChaCha20 alone, and nothing is compared.
      const { reasons, rules } = pick.verdict
      check(!rules.includes('V21') || reasons.join().includes('µs'), 'the reason names no cost of a message')
    })
    it('R11, R14: what a backend lacks is unsupported or no-candidate with a reason, never a TypeError', async () => {
      for (const backend of backends) {
        for (const id of Object.keys(ALGORITHMS)) {
          const answer = await backend.probe(id)
          if (answer.available) continue
          check(answer.reason.length > 0, `${backend.name}: no reason for ${id}`)
          const made = await codeOf(() => createAead(backend, id, new Uint8Array(ALGORITHMS[id].keyBytes)))
          check(made === 'unsupported', `${backend.name} / ${id}: ${made}`)
          const picked = await codeOf(() =>
            selectAead({ backends: [backend], measure: 'never', algorithm: id }),
          )
          check(picked === 'no-candidate', `selecting ${id} on ${backend.name}: ${picked}`)
        }
      }
    })
    it('R12, R13: ChaCha20-Poly1305 comes from whichever backend has it, with the published bytes', async () => {
      const pick = await selectAead({ backends, measure: 'never', algorithm: 'chacha20-poly1305' })
      const aead = await pick.createAead(KEY)
      check(hex(await aead.seal(NONCE, PLAINTEXT, AAD)) === CHACHA, `other bytes from ${aead.backendName}`)
      check(
        backends.some(({ name }) => name === aead.backendName),
        `unknown backend ${aead.backendName}`,
      )
      aead.destroy()
    })
    it('R17: ciphers of no table are invalid-argument before any backend is asked', async () => {
      let asked = 0
      const spies = backends.map((backend) => ({
        ...backend,
        probe(id) {
          asked++
          return backend.probe(id)
        },
      }))
      for (const id of NO_ALGORITHMS) {
        for (const call of [
          () => createAead(spies[0], id, KEY),
          () => createSealer(id, { backends: spies }),
          () => importKey({ algorithm: id, keyId: '0123456789abcdef', secret: KEY }),
          () => selectAead({ backends: spies, measure: 'never', algorithm: id }),
        ]) {
          const code = await codeOf(call)
          check(code === 'invalid-argument', `${id}: ${code}`)
        }
      }
      check(asked === 0, `backends were asked ${asked} times`)
    })
  })
}
