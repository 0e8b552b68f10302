import type { AlgorithmId } from '@aeadkit/core'
import type { Family } from './families.ts'
import type { AccumulatedVector, VectorCase, VectorExclusion, VectorResult } from './types.ts'

/** Cases and exclusions of one file, before its source is known. */
export interface Parsed {
  readonly entries: number
  readonly cases: readonly VectorCase[]
  readonly exclusions: readonly VectorExclusion[]
  readonly accumulated?: AccumulatedVector
}

interface SourceTest {
  readonly tcId: number
  readonly algorithm?: string
  readonly comment?: string
  readonly flags?: readonly string[]
  readonly key: string
  readonly iv?: string
  readonly aad: string | readonly string[]
  readonly msg: string
  readonly ct: string
  readonly tag?: string
  readonly result: VectorResult
}

interface SourceFile {
  readonly testGroups?: readonly { readonly tests: readonly SourceTest[] }[]
  readonly tests?: readonly SourceTest[]
  readonly xchacha20Stream?: readonly unknown[]
  readonly hchacha20?: readonly unknown[] | object
  readonly accumulated?: Omit<AccumulatedVector, 'algorithm'>
}

/** Counts exclusions by reason. */
class Tally {
  readonly #counts: Map<string, number> = new Map()

  add(reason: string, count = 1): void {
    if (count > 0) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count)
  }

  list(): VectorExclusion[] {
    return [...this.#counts].map(([reason, count]) => ({ reason, count }))
  }
}

function algorithmOf(family: Family, keyHex: string, name: string | undefined): AlgorithmId | undefined {
  if (name !== undefined && family.byName !== undefined) return family.byName[name]
  return family.byKeyBits[keyHex.length * 4]
}

function lengthOf(value: readonly unknown[] | object | undefined): number {
  if (value === undefined) return 0
  return Array.isArray(value) ? value.length : 1
}

/** Wycheproof files (`testGroups`) and specification files (`tests`): the fields of a test are the same. */
function parseTests(text: string, family: Family): Parsed {
  const source = JSON.parse(text) as SourceFile
  const tests = source.tests ?? (source.testGroups ?? []).flatMap((group) => group.tests)
  const cases: VectorCase[] = []
  const excluded = new Tally()
  for (const test of tests) {
    const algorithm = algorithmOf(family, test.key, test.algorithm)
    if (algorithm === undefined) {
      excluded.add(`no algorithm with ${test.key.length / 2}-byte keys`)
    } else if (typeof test.aad !== 'string' || test.iv === undefined || test.tag === undefined) {
      excluded.add('S2V components other than [AAD, nonce]')
    } else {
      const { key, iv: nonce, aad, msg: plaintext, ct: ciphertext, tag, result } = test
      const { flags = [], comment = '' } = test
      const id = String(test.tcId)
      cases.push({ id, algorithm, key, nonce, aad, plaintext, ciphertext, tag, result, flags, comment })
    }
  }
  const streams = lengthOf(source.xchacha20Stream)
  const blocks = lengthOf(source.hchacha20)
  const hashes = source.accumulated?.results.length ?? 0
  excluded.add('XChaCha20 without authentication', streams)
  excluded.add('HChaCha20 block', blocks)
  excluded.add('accumulated hash over many calls, exported as xaesAccumulated', hashes)
  const parsed = { entries: tests.length + streams + blocks + hashes, cases, exclusions: excluded.list() }
  if (source.accumulated === undefined) return parsed
  const { description, rng, hash, results } = source.accumulated
  return { ...parsed, accumulated: { algorithm: 'xaes-256-gcm', description, rng, hash, results } }
}

interface CfrgTest {
  readonly name: string
  readonly error?: string
  readonly key?: string
  readonly nonce?: string
  readonly ad?: string
  readonly msg?: string
  readonly ct?: string
  readonly tag128?: string
  readonly tag256?: string
}

/** Vectors of the AEGIS draft: each entry has a 16- and a 32-byte tag, so it becomes two cases. */
function parseCfrg(text: string, family: Family): Parsed {
  const tests = JSON.parse(text) as readonly CfrgTest[]
  const cases: VectorCase[] = []
  const excluded = new Tally()
  for (const test of tests) {
    const { key, nonce, ct: ciphertext, ad: aad = '', msg: plaintext = '', error } = test
    const algorithm = key === undefined ? undefined : family.byKeyBits[key.length * 4]
    if (key === undefined || nonce === undefined || ciphertext === undefined || algorithm === undefined) {
      excluded.add('internal state, no AEAD call')
      continue
    }
    const result = error === undefined ? 'valid' : 'invalid'
    for (const tag of [test.tag128, test.tag256]) {
      if (tag === undefined) continue
      const id = `${test.name}, ${tag.length / 2}-byte tag`
      cases.push({
        id,
        algorithm,
        key,
        nonce,
        aad,
        plaintext,
        ciphertext,
        tag,
        result,
        flags: [],
        comment: error ?? '',
      })
    }
  }
  return { entries: tests.length, cases, exclusions: excluded.list() }
}

/** Known-answer text of the NIST lightweight project: blocks of `Name = hex` lines. */
function parseKat(text: string, family: Family): Parsed {
  const cases: VectorCase[] = []
  const blocks = text.split(/\r?\n\s*\r?\n/).filter((block) => block.includes('Count ='))
  for (const block of blocks) {
    const fields = new Map(
      block.split(/\r?\n/).map((line) => line.split('=', 2).map((part) => part.trim()) as [string, string]),
    )
    const hex = (name: string): string => (fields.get(name) ?? '').toLowerCase()
    const key = hex('Key')
    const algorithm = family.byKeyBits[key.length * 4]
    if (algorithm === undefined)
      throw new Error(`known-answer block ${hex('Count')}: no algorithm for its key`)
    const plaintext = hex('PT')
    const ciphertext = hex('CT').slice(0, plaintext.length)
    const tag = hex('CT').slice(plaintext.length)
    const id = hex('Count')
    cases.push({
      id,
      algorithm,
      key,
      nonce: hex('Nonce'),
      aad: hex('AD'),
      plaintext,
      ciphertext,
      tag,
      result: 'valid',
      flags: [],
      comment: '',
    })
  }
  return { entries: blocks.length, cases, exclusions: [] }
}

/** Reads one file of a known family. */
export function parseFile(text: string, family: Family): Parsed {
  if (family.format === 'cfrg-aegis') return parseCfrg(text, family)
  if (family.format === 'lwc-kat') return parseKat(text, family)
  return parseTests(text, family)
}

/** Number of entries of a file that is not read further. */
export function countEntries(name: string, text: string): number {
  if (!name.endsWith('.json')) return 1
  const stated = /"numberOfTests"\s*:\s*(\d+)/.exec(text.slice(0, 4096))
  if (stated !== null) return Number(stated[1])
  const value = JSON.parse(text) as readonly unknown[] | { readonly tests?: readonly unknown[] }
  return Array.isArray(value) ? value.length : lengthOf((value as { tests?: readonly unknown[] }).tests ?? [])
}
