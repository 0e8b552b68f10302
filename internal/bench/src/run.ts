import { ALGORITHMS, createAeadSync } from '@aeadkit/core'
import { type Compared, type Contender, contendersOf, type Libraries, type Material } from './contenders.ts'
import { type Effort, time } from './rounds.ts'

/** One timed combination. */
export interface Row {
  readonly algorithm: Compared
  readonly operation: 'seal' | 'open'
  readonly bytes: number
  readonly contender: string
  readonly medianNs: number
  readonly minNs: number
}

/** Bytes that look random and are the same in every run. */
function patterned(bytes: number, seed: number): Uint8Array {
  const out = new Uint8Array(bytes)
  let state = seed * 2654435761
  for (let i = 0; i < bytes; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    out[i] = state >>> 24
  }
  return out
}

function materialOf(algorithm: Compared, bytes: number, { wasm }: Libraries): Material {
  const { keyBytes, nonceBytes } = ALGORITHMS[algorithm]
  const key = patterned(keyBytes, 1)
  const plaintext = patterned(bytes, 2)
  const sealedNonce = patterned(nonceBytes, 3)
  const aead = createAeadSync(wasm, algorithm, key)
  const sealed = aead.sealSync(sealedNonce, plaintext)
  aead.destroy()
  return { algorithm, key, nonce: patterned(nonceBytes, 4), plaintext, sealedNonce, sealed }
}

/** @throws Error naming the contender whose result is another. */
function requireSameResults(contenders: readonly Contender[], material: Material): void {
  const comparable = contenders.filter(({ comparable = true }) => comparable)
  let expected: Uint8Array | undefined
  for (const { name, seal, open } of comparable) {
    material.nonce.set(material.sealedNonce)
    const sealed = seal()
    expected ??= material.sealed
    if (!same(sealed, expected)) throw new Error(`${name} seals ${material.algorithm} to other bytes`)
    if (open !== undefined && !same(open(), material.plaintext)) {
      throw new Error(`${name} opens ${material.algorithm} to other bytes`)
    }
  }
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** Times one algorithm at one length; all results are compared before any is timed. */
export async function runSize(
  algorithm: Compared,
  bytes: number,
  libraries: Libraries,
  effort: Effort,
): Promise<Row[]> {
  const material = materialOf(algorithm, bytes, libraries)
  const contenders = await contendersOf(material, libraries)
  requireSameResults(contenders, material)
  const { nonce } = material
  let count = 0
  // Every call has a nonce of its own, as the tripwire of ours asks; the same for all.
  const before = (): void => {
    count = (count + 1) | 0
    nonce[0] = count
    nonce[1] = count >>> 8
  }
  const rows: Row[] = []
  for (const operation of ['seal', 'open'] as const) {
    const tasks = contenders.flatMap(({ name, [operation]: run }) =>
      run === undefined ? [] : [{ name, run, before }],
    )
    for (const { name, ...timing } of time(tasks, effort)) {
      rows.push({ algorithm, operation, bytes, contender: name, ...timing })
    }
  }
  return rows
}
