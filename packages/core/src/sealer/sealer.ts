import { type AlgorithmId, type AlgorithmParams, isAlgorithmId } from '../algorithms.ts'
import type { Backend } from '../backend.ts'
import { AsyncCipher } from '../cipher/async.ts'
import { destroyedOnError, guaranteesOf } from '../cipher/base.ts'
import { SyncCipher } from '../cipher/sync.ts'
import { checkedBackend, paramsOf } from '../define.ts'
import { AeadError } from '../errors.ts'
import { generateKey, type KeyRecord, secretOf, stateOf } from '../keys.ts'
import { checkParams } from '../limits/input.ts'
import { createMeter, type Meter } from '../meter.ts'
import { kindOf, readOptions } from '../names.ts'
import { fillRandom } from '../random.ts'
import { BOX_HEADER_BYTES, type BoxFormat, boxHeader } from './box.ts'
import { nonceMaker } from './nonces.ts'
import { SealerObject } from './object.ts'
import type { Sealer, SealerOptions } from './types.ts'

const OPTION_NAMES = [
  'backends',
  'nonces',
  'meter',
  'format',
  'evidence',
  'noncePool',
  'fips',
  'sealRefused',
] as const

/**
 * Makes a sealer for a key.
 * @param key - a key record, or an algorithm id to make a key that can never leave this sealer.
 * @param given - see {@link SealerOptions}; unknown names are refused.
 * @throws AeadError `invalid-argument`, `unsupported` (no backend has the algorithm, with each reason),
 *   `nonce-reused` (a counter start already passed), `destroyed` (the record), `backend-failed`.
 */
export async function createSealer(key: KeyRecord | AlgorithmId, given: SealerOptions): Promise<Sealer> {
  if (given === undefined) throw new AeadError('invalid-argument', 'createSealer needs { backends: [...] }')
  const options = readOptions(given, OPTION_NAMES, 'createSealer')
  const ownRecord =
    typeof key === 'string' ? generateKey(isAlgorithmId(key) ? key : paramsOf(key).id) : undefined
  const record = ownRecord ?? (key as KeyRecord)
  const state = stateOf(record)
  checkedMeter(options.meter)
  const params = paramsOf(record.algorithm)
  const header = formatHeader(options.format ?? 'box', record)
  const backend = await firstAvailable(options.backends, params)
  const { nonces: wanted = 'random' } = options
  const nonces = nonceMaker(wanted, params, state, ownRecord !== undefined, {
    fillRandom: backend.raw.fillRandom?.bind(backend.raw) ?? fillRandom,
    pooled: options.noncePool ?? true,
  })
  state.meter ??= options.meter ?? createMeter()
  const source = options.meter ?? state.meter
  const meter = source.forKey(record.keyId, params, nonces.regime, options.fips ?? false, state.counted)
  state.counted ??= meter
  const secret = secretOf(record)
  const cipher = backend.sync
    ? (backend.hybrid?.cipher(backend, params, secret) ?? new SyncCipher(backend, params, secret))
    : await AsyncCipher.create(backend, params, secret)
  const allocates = cipher instanceof SyncCipher ? cipher.allocates : 'message'
  const guarantees = destroyedOnError(cipher, () =>
    guaranteesOf(backend, params, options.evidence, allocates),
  )
  return new SealerObject({
    cipher,
    guarantees,
    keyId: record.keyId,
    nonces,
    meter,
    counted: meter.sharesCounts(state.counted),
    header,
    sealRefused: options.sealRefused,
    ownRecord,
  })
}

function checkedMeter(meter: unknown): void {
  if (meter === undefined) return
  if (typeof (meter as Partial<Meter> | null)?.forKey === 'function') return
  throw new AeadError('invalid-argument', `meter must be a meter (from createMeter), got ${kindOf(meter)}`)
}

function formatHeader(format: unknown, record: KeyRecord): Uint8Array {
  if (format === 'box') return boxHeader(record)
  if (format === 'bare') return new Uint8Array(0)
  throw new AeadError('invalid-argument', `format must be "box" or "bare", got ${kindOf(format)}`)
}

/** Falls through only to the next backend of the caller's own list, and only when one lacks the algorithm. */
async function firstAvailable(backends: unknown, params: AlgorithmParams): Promise<Backend> {
  if (!Array.isArray(backends) || backends.length === 0) {
    throw new AeadError('invalid-argument', 'backends must be a non-empty array of backends')
  }
  const reasons: string[] = []
  for (const backend of backends.map(checkedBackend)) {
    const answer = await backend.probe(params.id)
    if (answer.available) return backend
    reasons.push(`${backend.name}: ${answer.reason}`)
  }
  throw new AeadError('unsupported', `no given backend has ${params.id} (${reasons.join('; ')})`, {
    details: { reasons },
  })
}

/** How many bytes a sealer adds to a message: header, nonce and tag. */
export function overheadBytes(params: AlgorithmParams, format: BoxFormat = 'box'): number {
  checkParams(params, 'overheadBytes')
  return (format === 'box' ? BOX_HEADER_BYTES : 0) + params.nonceBytes + params.tagBytes
}
