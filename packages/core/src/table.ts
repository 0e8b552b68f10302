import type { AlgorithmId, AlgorithmParams } from './algorithms.ts'
import type { AlgorithmFamily } from './families.ts'

/** Facts of some algorithms by id, and their known answers. */
export interface AlgorithmTable {
  readonly params: Readonly<Record<AlgorithmId, AlgorithmParams>>
  readonly answers: Readonly<Partial<Record<AlgorithmId, string>>>
}

/** The families in full, frozen. What can be derived is not written in them. */
export function tableOf(families: readonly AlgorithmFamily[]): AlgorithmTable {
  const { freeze } = Object
  const bytes = ([a, b]: readonly [number, number]): bigint => (1n << BigInt(a)) - BigInt(b)
  const params = {} as Record<AlgorithmId, AlgorithmParams>
  const answers: Partial<Record<AlgorithmId, string>> = {}
  for (const family of families) {
    const [most, mostAad, bound, plaintext, forgery, committing, fips, cipher, authenticator, rows] = family
    // An assignment to a size, a tag length say, would change it for everybody.
    for (const part of [family, most, mostAad, rows, ...Object.values(rows)]) freeze(part)
    for (const id of Object.keys(rows) as AlgorithmId[]) {
      const [keyBytes, nonceBytes, tagBytes, spec, answer] = rows[id]!
      if (answer !== undefined) answers[id] = answer
      params[id] = freeze({
        id,
        keyBytes,
        nonceBytes,
        tagBytes,
        tagPosition: bound === 'siv' ? 'start' : 'end',
        maxPlaintextBytes: bytes(most),
        maxAadBytes: bytes(mostAad),
        // The nonces of MGM begin with a bit that must be 0.
        randomNonceBits: 8 * nonceBytes - (/mgm/.test(bound) ? 1 : 0),
        bound,
        wholeMessage: /siv|ccm/.test(bound),
        nonceReuse: freeze({ plaintext, forgery }),
        committing,
        fips,
        cpu: freeze({ cipher, authenticator }),
        spec,
      })
    }
  }
  return { params: freeze(params), answers }
}
