import { type AlgorithmId, createAeadSync } from '@aeadkit/core'
import { vectorFiles, vectorOrigin } from '@aeadkit-internal/vectors'
import { describe, expect, it } from 'vitest'
import { createSodiumBackend } from '../src/index.ts'

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

interface Row {
  readonly file: string
  readonly algorithm: AlgorithmId
  /** Valid cases with a 16-byte tag. */
  readonly compared: number
  /** Whether a 16-byte tag is the XOR of the halves of the 32-byte one (RFC 10032: AEGIS-256 only). */
  readonly foldsTag: boolean
}

const ROWS: readonly Row[] = [
  {
    file: 'aegis/wycheproof_aegis128L_test.json',
    algorithm: 'aegis-128l',
    compared: 183,
    foldsTag: false,
  },
  {
    file: 'aegis/wycheproof_aegis256_test.json',
    algorithm: 'aegis-256',
    compared: 180,
    foldsTag: true,
  },
]

/** libsodium makes 32-byte tags only; ciphertexts do not depend on the tag's length. */
describe('vectors with 16-byte tags', async () => {
  const backend = await createSodiumBackend()
  for (const { file, algorithm, compared, foldsTag } of ROWS) {
    it(`${file}: ${compared} ciphertexts${foldsTag ? ' and folded tags' : ''}`, ({ skip }) => {
      if (!vectorOrigin.present) skip(vectorOrigin.reason)
      const cases = vectorFiles.find((each) => each.file === file)?.cases ?? []
      let count = 0
      for (const one of cases.filter(({ result, tag }) => result === 'valid' && tag.length === 32)) {
        const aead = createAeadSync(backend, algorithm, hex(one.key), { nonceCheck: false })
        const sealed = aead.sealSync(hex(one.nonce), hex(one.plaintext), hex(one.aad))
        const [ciphertext, tag] = [sealed.subarray(0, -32), sealed.subarray(-32)]
        expect(toHex(ciphertext), one.id).toBe(one.ciphertext)
        if (foldsTag) {
          const folded = tag.subarray(0, 16).map((byte, i) => byte ^ tag[16 + i]!)
          expect(toHex(folded), one.id).toBe(one.tag)
        }
        count++
      }
      expect(count).toBe(compared)
    })
  }
})
