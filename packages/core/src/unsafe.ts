/**
 * What the safe entry refuses: other nonce and tag lengths, and raw key bytes. For reading data that others wrote, and
 * for known-answer tests.
 * @module
 */
import { setUpAead } from './aead/aead.ts'
import type { Aead, SyncAead } from './aead/types.ts'
import type { AlgorithmId, AlgorithmParams } from './algorithms.ts'
import type { Backend, Bytes, SyncBackend } from './backend.ts'
import type { BytesInput } from './bytes.ts'
import { checkedBackend, paramsOf } from './define.ts'
import { AeadError } from './errors.ts'
import { type KeyRecord, secretOf } from './keys.ts'
import { readOptions } from './names.ts'

/** Sizes that differ from the algorithm's own; missing ones stay. */
export interface VariantSizes {
  /** Nonce length in bytes. */
  readonly nonceBytes?: number
  /** Tag length in bytes. */
  readonly tagBytes?: number
}

function variantOf(
  backend: Backend,
  algorithm: AlgorithmId,
  sizes: VariantSizes,
  where: string,
): AlgorithmParams {
  const read = readOptions(sizes, ['nonceBytes', 'tagBytes'], where)
  checkedBackend(backend)
  const params = paramsOf(algorithm)
  const variant = { ...params, ...read }
  for (const name of ['nonceBytes', 'tagBytes'] as const) {
    if (Number.isSafeInteger(variant[name]) && variant[name] >= 0) continue
    throw new AeadError('invalid-argument', `${name} must be a whole number of bytes`)
  }
  const usual = variant.nonceBytes === params.nonceBytes && variant.tagBytes === params.tagBytes
  if (usual || backend.raw.takesVariant?.(variant) === true) return variant
  throw new AeadError(
    'unsupported',
    `backend ${backend.name} cannot do ${algorithm} with a ${variant.nonceBytes}-byte nonce and a ${variant.tagBytes}-byte tag`,
    {
      details: {
        backend: backend.name,
        algorithm,
        nonceBytes: variant.nonceBytes,
        tagBytes: variant.tagBytes,
      },
    },
  )
}

/**
 * An Aead with any nonce and tag length the backend takes and without the nonce tripwire. For known-answer tests only:
 * a short tag invites forgery, and a GCM nonce of another length than 12 bytes is hashed and may collide.
 * @throws AeadError `unsupported` when the backend cannot, else as `createAead`.
 */
export function createTestAead(
  backend: SyncBackend,
  algorithm: AlgorithmId,
  key: BytesInput,
  sizes?: VariantSizes,
): Promise<SyncAead>
export function createTestAead(
  backend: Backend,
  algorithm: AlgorithmId,
  key: BytesInput,
  sizes?: VariantSizes,
): Promise<Aead>
export async function createTestAead(
  backend: Backend,
  algorithm: AlgorithmId,
  key: BytesInput,
  sizes: VariantSizes = {},
): Promise<Aead> {
  return setUpAead(backend, variantOf(backend, algorithm, sizes, 'createTestAead'), key, {
    nonceCheck: false,
  })
}

/** Opens, and never seals, data that others wrote with other lengths. */
export interface LegacyOpener {
  /** The algorithm's facts with the lengths in force. */
  readonly params: AlgorithmParams
  /** As `Aead.open`. */
  open(nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): Promise<Bytes>
  /** As `Aead.destroy`. */
  destroy(): void
}

/**
 * Reads data written with a nonce or tag length that new data must not use, for example a 16-byte GCM nonce.
 * @throws AeadError `unsupported` when the backend cannot, else as `createAead`.
 */
export async function createLegacyOpener(
  backend: Backend,
  algorithm: AlgorithmId,
  key: BytesInput,
  sizes: VariantSizes,
): Promise<LegacyOpener> {
  const params = variantOf(backend, algorithm, sizes, 'createLegacyOpener')
  const aead = await setUpAead(backend, params, key, { sealRefused: 'a legacy opener does not seal' })
  return {
    params,
    open: (nonce, sealed, aad) => aead.open(nonce, sealed, aad),
    destroy: () => aead.destroy(),
  }
}

/** A copy of the secret of a record. The caller keeps it out of logs and wipes it. */
export function exportKey(record: KeyRecord): Bytes {
  return secretOf(record)
}
