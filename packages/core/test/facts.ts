import { existsSync, readFileSync } from 'node:fs'

/** One row of the expected numbers. */
export interface ExpectedRow {
  readonly e: number
  readonly size: string
  readonly L: number
  readonly gcm_q: number
  readonly gcm_v: string
  readonly chacha_v: string
  readonly ccm_q_plus_v: number
  readonly ccm_q_half: number
  readonly gcm_bytes: number
  readonly log2: Readonly<Record<string, number | null>>
}

/** Numbers computed by a second program, in the folder beside the checkout. */
export interface Expected {
  readonly rows: readonly ExpectedRow[]
  readonly tls13_p60_L1024_ignoring_plus1: number
  readonly tls13_p60_L1024: number
  readonly random_nonce: Readonly<Record<string, string>>
  readonly one_TiB: readonly {
    chunk: string
    q: number
    log2_CA: number
    ok_at_57: boolean
    ok_at_50: boolean
    ok_at_32: boolean
  }[]
  readonly 'multi_gcm_e50_L128_B2^27': string
  readonly magma_like_n64: Readonly<Record<string, number>>
}

const FILE = new URL('../../../../shared/facts/limits-expected.json', import.meta.url)

function read(): Expected | undefined {
  if (existsSync(FILE)) return JSON.parse(readFileSync(FILE, 'utf8'))
  console.warn(
    'not run: the 18 rows and 22 single numbers of ../shared/facts/limits-expected.json, absent beside this checkout; the tables spelled in the tests run',
  )
  return undefined
}

/** The numbers, or `undefined` (said in one line) where the folder is absent. */
export const EXPECTED: Expected | undefined = read()
