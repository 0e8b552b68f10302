/** What a process has learnt in one FIPS mode is not held against, or for, a backend in the other. */
import { setUpFips, whyNoFips } from '@aeadkit-internal/fips'
import { describe, expect, it } from 'vitest'
import { runNode } from './child.ts'

/** Selects and seals after each `setFips`; a fresh selection must find what works then. */
const SCRIPT = `
import crypto from 'node:crypto'
import { selectAead } from 'aeadkit'
const seen = []
for (const flag of JSON.parse(process.env.FLAGS)) {
  crypto.setFips(flag)
  const pick = await selectAead({ algorithm: 'chacha20-poly1305', fips: 'off', measure: 'never' })
  const aead = await pick.createAead(new Uint8Array(32))
  const nonce = new Uint8Array(12)
  const opened = await aead.open(nonce, await aead.seal(nonce, Uint8Array.of(1, 2, 3)))
  const names = typeof pick.backend === 'string' ? [pick.backend] : Object.values(pick.backend)
  seen.push([flag, names.includes('node'), opened.join()])
}
console.log(JSON.stringify(seen))
`

/** The same over WebCrypto alone, which has no ChaCha20-Poly1305 on the floor of Node. */
const WEB_SCRIPT = `
import crypto from 'node:crypto'
import { createWebCryptoBackend } from '@aeadkit/backend-webcrypto'
import { createAead } from '@aeadkit/core'
const backend = createWebCryptoBackend()
const seen = []
for (const flag of JSON.parse(process.env.FLAGS)) {
  crypto.setFips(flag)
  const { available } = await backend.probe('aes-256-gcm')
  const code = await createAead(backend, 'aes-256-gcm', new Uint8Array(32)).then(
    (aead) => aead.seal(new Uint8Array(12), Uint8Array.of(1, 2, 3)).then((sealed) => sealed.length),
    (error) => error.code,
  )
  seen.push([flag, available, code])
}
console.log(JSON.stringify(seen))
`

async function seenAfter(
  script: string,
  flags: readonly number[],
  { args = [], env = {} }: { args?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Promise<unknown> {
  const { code, stdout, stderr } = await runNode([...args, '--input-type=module', '-e', script], {
    env: { OPENSSL_CONF: '', OPENSSL_MODULES: '', ...env, FLAGS: JSON.stringify(flags) },
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const expected = (flags: readonly number[]): unknown => flags.map((flag) => [flag, flag === 0, '1,2,3'])

describe('a selection after setFips() sees the backends as they are then', () => {
  it.each([[[0, 1, 0]], [[1, 0, 1]]])('without a provider: %j', async (flags) => {
    expect(await seenAfter(SCRIPT, flags)).toEqual(expected(flags))
  })

  it.each([[[0, 1, 0]], [[1, 0, 1]]])('WebCrypto without a provider: %j', async (flags) => {
    const expected = flags.map((flag) => (flag === 0 ? [0, true, 19] : [1, false, 'unsupported']))
    expect(await seenAfter(WEB_SCRIPT, flags)).toEqual(expected)
  })

  const missing = whyNoFips()
  if (missing !== undefined) console.log(`2 tests skipped: ${missing}`)
  it.skipIf(missing !== undefined).each([[[0, 1, 0]], [[1, 0, 1]]])('with a provider: %j', async (flags) => {
    const setup = setUpFips()
    try {
      expect(await seenAfter(SCRIPT, flags, setup)).toEqual(expected(flags))
    } finally {
      setup.dispose()
    }
  })
})
