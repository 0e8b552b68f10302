import type { AlgorithmId } from './algorithms.ts'

/** Every id, for backends that carry the facts of their own algorithms alone. In the order of `ALGORITHMS`. */
export const ALGORITHM_IDS: readonly AlgorithmId[] = [
  'aes-128-gcm',
  'aes-256-gcm',
  'aes-128-ccm',
  'aes-256-ccm',
  'aes-128-gcm-siv',
  'aes-256-gcm-siv',
  'aes-siv-cmac-256',
  'aes-siv-cmac-512',
  'chacha20-poly1305',
  'xchacha20-poly1305',
  'xaes-256-gcm',
  'aegis-128l',
  'aegis-256',
  'aegis-128x2',
  'aegis-128x4',
  'aegis-256x2',
  'aegis-256x4',
  'ascon-aead128',
  'kuznyechik-mgm',
  'magma-mgm',
  'aes-128-ocb',
  'aes-256-ocb',
]
