import type { AlgorithmId, AlgorithmParams } from '../algorithms.ts'
import type { AsyncBackend, Backend, SyncBackend } from '../backend.ts'
import type { BytesInput } from '../bytes.ts'
import { checkedBackend } from '../define.ts'
import { AeadError } from '../errors.ts'
import { readOptions } from '../names.ts'
import type { Aead, AeadOptions, SyncAead } from './types.ts'

const OPTION_NAMES = ['nonceCheck', 'evidence', 'sealRefused'] as const

/**
 * Sets up one algorithm with one key on one backend. The first use of a pair (backend, algorithm) in a process runs
 * its self-test.
 * @param backend - who does the work.
 * @param algorithm - an id of `ALGORITHMS`.
 * @param key - exactly `keyBytes` bytes; copied.
 * @param options - see {@link AeadOptions}; unknown names are refused.
 * @throws AeadError `invalid-argument` (id, key, options), `unsupported` (the backend lacks it, with the reason),
 *   `backend-failed`.
 */
export function createAead(
  backend: SyncBackend,
  algorithm: AlgorithmId,
  key: BytesInput,
  options?: AeadOptions,
): Promise<SyncAead>
export function createAead(
  backend: Backend,
  algorithm: AlgorithmId,
  key: BytesInput,
  options?: AeadOptions,
): Promise<Aead>
export async function createAead(
  backend: Backend,
  algorithm: AlgorithmId,
  key: BytesInput,
  options?: AeadOptions,
): Promise<Aead> {
  const read = readOptions(options, OPTION_NAMES, 'createAead')
  return setUpAead(backend, checkedBackend(backend).paramsOf(algorithm), key, read)
}

/**
 * `createAead` without a promise, for synchronous backends.
 * @throws AeadError as `createAead`, and `unsupported` for an asynchronous backend.
 */
export function createAeadSync(
  backend: SyncBackend,
  algorithm: AlgorithmId,
  key: BytesInput,
  options?: AeadOptions,
): SyncAead {
  const read = readOptions(options, OPTION_NAMES, 'createAeadSync')
  const params = checkedBackend(backend).paramsOf(algorithm)
  if (!backend.sync) {
    throw new AeadError(
      'unsupported',
      `backend ${(backend as Backend).name} only answers by promise: use createAead`,
    )
  }
  return backend.setUp(backend, params, key, read)
}

/** For `createAead` and the unsafe entry: `params` may be a variant of the table's row. */
export async function setUpAead(
  backend: Backend,
  params: AlgorithmParams,
  key: BytesInput,
  options: AeadOptions,
): Promise<Aead> {
  return ((backend.hybrid ?? backend) as AsyncBackend).setUp(backend as AsyncBackend, params, key, options)
}
