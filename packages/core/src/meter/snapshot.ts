import { type AlgorithmId, isAlgorithmId } from '../algorithms.ts'
import { AeadError } from '../errors.ts'
import type { KeySnapshot, MeterSnapshot } from './types.ts'

/** Counts of one key. Plain doubles: whole numbers up to 2^53 - 1. */
export interface Counts {
  messages: number
  blocks: number
  failedOpens: number
  failedBlocks: number
  longestBytes: number
  /** How the nonces of everything sealed so far were made; `null` before the first seal. */
  nonce: 'random' | 'counter' | null
  warned: boolean
}

/** The counts of one key, and the only algorithm the key is for. */
export interface KeyCounts {
  readonly algorithm: AlgorithmId
  readonly counts: Counts
}

const NUMBERS = ['messages', 'blocks', 'failedOpens', 'failedBlocks', 'longestBytes'] as const
const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/

function corrupt(what: string): AeadError {
  return new AeadError('invalid-argument', `createMeter: the snapshot is corrupt: ${what}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads a snapshot with every field checked.
 * @throws AeadError `invalid-argument`.
 */
export function readSnapshot(snapshot: unknown): Map<string, KeyCounts> {
  if (!isRecord(snapshot)) throw corrupt('not an object')
  if (snapshot.version !== 1) throw corrupt('version must be 1')
  if (!isRecord(snapshot.keys)) throw corrupt('keys must be an object')
  const read = new Map<string, KeyCounts>()
  for (const [keyId, entry] of Object.entries(snapshot.keys)) {
    if (keyId === '' || !isRecord(entry)) throw corrupt('a key must have an id and an object')
    read.set(keyId, readKey(entry))
  }
  return read
}

function readKey(entry: Record<string, unknown>): KeyCounts {
  const { algorithm, nonce, warned } = entry
  if (!isAlgorithmId(algorithm)) throw corrupt('algorithm is not a known id')
  if (nonce !== 'random' && nonce !== 'counter' && nonce !== null) {
    throw corrupt("nonce must be 'random', 'counter' or null")
  }
  if (typeof warned !== 'boolean') throw corrupt('warned must be a boolean')
  const counts: Counts = {
    messages: 0,
    blocks: 0,
    failedOpens: 0,
    failedBlocks: 0,
    longestBytes: 0,
    nonce,
    warned,
  }
  for (const name of NUMBERS) {
    const value = entry[name]
    if (typeof value !== 'string' || !DECIMAL.test(value) || Number(value) > Number.MAX_SAFE_INTEGER) {
      throw corrupt(`${name} must be a decimal string of at most 2^53 - 1`)
    }
    counts[name] = Number(value)
  }
  return { algorithm, counts }
}

/** Writes counts in the form {@link readSnapshot} takes. */
export function writeSnapshot(keys: ReadonlyMap<string, KeyCounts>): MeterSnapshot {
  const written: [string, KeySnapshot][] = []
  for (const [keyId, { algorithm, counts }] of keys) {
    written.push([
      keyId,
      {
        algorithm,
        nonce: counts.nonce,
        messages: String(counts.messages),
        blocks: String(counts.blocks),
        failedOpens: String(counts.failedOpens),
        failedBlocks: String(counts.failedBlocks),
        longestBytes: String(counts.longestBytes),
        warned: counts.warned,
      },
    ])
  }
  return { version: 1, keys: Object.fromEntries(written) }
}
