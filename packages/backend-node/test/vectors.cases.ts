import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ALGORITHMS, type AlgorithmId, isAeadError, type SyncAead, type SyncBackend } from '@aeadkit/core'
import { createTestAead } from '@aeadkit/core/unsafe'

/** One AEAD call with its expected outcome; bytes are hexadecimal. */
export interface VectorCase {
  readonly tcId: number
  readonly key: string
  readonly iv?: string
  readonly aad: string | readonly string[]
  readonly msg: string
  readonly ct: string
  readonly tag?: string
  readonly result: 'valid' | 'invalid' | 'acceptable'
}

interface RawFile {
  readonly testGroups?: readonly { readonly tests: readonly VectorCase[] }[]
  readonly tests?: readonly VectorCase[]
}

/** A file of `../shared/vectors` and which algorithm its keys of a given length belong to. */
export interface VectorFile {
  readonly path: string
  readonly byKeyBytes: Readonly<Record<number, AlgorithmId>>
}

const GCM_SIV = { 16: 'aes-128-gcm-siv', 32: 'aes-256-gcm-siv' } as const
const SIV = { 32: 'aes-siv-cmac-256', 64: 'aes-siv-cmac-512' } as const
const CHACHA = { 32: 'chacha20-poly1305' } as const
const XCHACHA = { 32: 'xchacha20-poly1305' } as const

export const VECTOR_FILES: Readonly<Record<string, VectorFile>> = {
  gcm: {
    path: 'aes-gcm/wycheproof_aes_gcm_test.json',
    byKeyBytes: { 16: 'aes-128-gcm', 32: 'aes-256-gcm' },
  },
  ccm: {
    path: 'aes-ccm/wycheproof_aes_ccm_test.json',
    byKeyBytes: { 16: 'aes-128-ccm', 32: 'aes-256-ccm' },
  },
  ocb: { path: 'aes-ocb/botan_ocb_aes128.json', byKeyBytes: { 16: 'aes-128-ocb' } },
  gcmSivRfc: { path: 'aes-gcm-siv/rfc8452_appendix_c.json', byKeyBytes: GCM_SIV },
  gcmSiv: { path: 'aes-gcm-siv/wycheproof_aes_gcm_siv_test.json', byKeyBytes: GCM_SIV },
  sivRfc: { path: 'aes-siv/rfc5297.json', byKeyBytes: SIV },
  sivAead: { path: 'aes-siv/wycheproof_aead_aes_siv_cmac_test.json', byKeyBytes: SIV },
  sivDeterministic: { path: 'aes-siv/wycheproof_aes_siv_cmac_test.json', byKeyBytes: SIV },
  chachaRfc: { path: 'chacha20-poly1305/rfc8439.json', byKeyBytes: CHACHA },
  chacha: { path: 'chacha20-poly1305/wycheproof_chacha20_poly1305_test.json', byKeyBytes: CHACHA },
  xchachaDraft: { path: 'xchacha20-poly1305/draft_irtf_cfrg_xchacha_03.json', byKeyBytes: XCHACHA },
  xchacha: { path: 'xchacha20-poly1305/wycheproof_xchacha20_poly1305_test.json', byKeyBytes: XCHACHA },
  xaes: { path: 'xaes-256-gcm/c2sp_xaes256gcm_vectors.json', byKeyBytes: { 32: 'xaes-256-gcm' } },
}

const FOLDER =
  process.env.AEADKIT_VECTORS ?? fileURLToPath(new URL('../../../../shared/vectors', import.meta.url))

/** Whether the vectors folder is there. */
export const vectorsPresent: boolean = existsSync(`${FOLDER}/aes-gcm`)

/** Parses one file of the vectors folder. */
export function readVectors(path: string): unknown {
  return JSON.parse(readFileSync(`${FOLDER}/${path}`, 'utf8'))
}

/** What happened to the cases of one file; the counts add up to `total`. */
export interface VectorReport {
  readonly total: number
  /** Sealed and opened as stated, both ways. */
  valid: number
  /** Refused when opened. */
  invalid: number
  /** Invalid sizes that no cipher object could be made for. */
  refused: number
  /** Not an AEAD call of this backend; by reason. */
  readonly excluded: Record<string, number>
  readonly failures: string[]
}

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

function join(tagFirst: boolean, ciphertext: Uint8Array, tag: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat(tagFirst ? [tag, ciphertext] : [ciphertext, tag]))
}

/** Runs every case of a file against a backend. */
export async function runVectors(backend: SyncBackend, file: VectorFile): Promise<VectorReport> {
  const raw = readVectors(file.path) as RawFile
  const cases = raw.testGroups?.flatMap((group) => group.tests) ?? raw.tests ?? []
  const report: VectorReport = {
    total: cases.length,
    valid: 0,
    invalid: 0,
    refused: 0,
    excluded: {},
    failures: [],
  }
  const exclude = (reason: string): void => {
    report.excluded[reason] = (report.excluded[reason] ?? 0) + 1
  }
  for (const one of cases) {
    const key = hex(one.key)
    const id = file.byKeyBytes[key.length]
    if (id === undefined) {
      exclude(`${key.length}-byte keys are no algorithm here`)
      continue
    }
    const components = typeof one.aad === 'string' ? [one.aad] : one.aad
    if (components.length !== 1) {
      exclude('S2V components other than AAD and nonce')
      continue
    }
    const aad = hex(components[0]!)
    const nonce = hex(one.iv ?? '')
    const { tagPosition, tagBytes } = ALGORITHMS[id]
    // Files without a tag field have the synthetic IV in front of the ciphertext.
    const sealed =
      one.tag === undefined ? hex(one.ct) : join(tagPosition === 'start', hex(one.ct), hex(one.tag))
    const sizes = {
      nonceBytes: nonce.length,
      tagBytes: one.tag === undefined ? tagBytes : one.tag.length / 2,
    }
    let aead: SyncAead
    try {
      aead = await createTestAead(backend, id, key, sizes)
    } catch (error) {
      if (!isAeadError(error, 'unsupported')) throw error
      if (one.result === 'invalid') report.refused++
      else exclude(`${id}: ${sizes.nonceBytes}-byte nonce, ${sizes.tagBytes}-byte tag`)
      continue
    }
    try {
      if (one.result === 'valid') {
        const ok = same(aead.sealSync(nonce, hex(one.msg), aad), sealed)
        if (ok && same(aead.openSync(nonce, sealed, aad), hex(one.msg))) report.valid++
        else report.failures.push(`${one.tcId}: wrong result`)
      } else {
        aead.openSync(nonce, sealed, aad)
        report.failures.push(`${one.tcId}: opened although ${one.result}`)
      }
    } catch (error) {
      if (one.result !== 'valid' && isAeadError(error, 'auth-failed')) report.invalid++
      else report.failures.push(`${one.tcId}: ${error}`)
    }
  }
  return report
}
