import type { AlgorithmId, BackendKind, ConstantTimeLevel, FipsModuleState, SyncBackend } from '@aeadkit/core'

export interface NativeExtra {
  readonly kind?: BackendKind
  readonly maxBytes?: number
  readonly level?: ConstantTimeLevel
  readonly oneShot?: boolean
  readonly fipsModule?: FipsModuleState
  /** Makes every tag of a message above 100 bytes wrong. */
  readonly spoil?: boolean
  readonly probe?: () => true | string
  readonly created?: (id: AlgorithmId, secret: Uint8Array) => void
  readonly sealed?: (bytes: number) => void
  readonly opened?: (bytes: number) => void
  readonly destroyed?: (id: AlgorithmId) => void
}

export function nativeBackend(
  name?: string,
  algorithms?: readonly AlgorithmId[],
  extra?: NativeExtra,
): SyncBackend
