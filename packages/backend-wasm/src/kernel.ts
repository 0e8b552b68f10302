import { type AlgorithmFamily, type ConstantTimeClaim, GCM_FAMILY, POLY1305_FAMILY } from '@aeadkit/core'

/** `WebAssembly.Module`, for consumers whose libraries do not declare it (no DOM types) any object. */
export type WasmModule = typeof globalThis extends {
  readonly WebAssembly: { readonly Module: { readonly prototype: infer Module } }
}
  ? Module
  : object

/** A kernel: one WebAssembly module and the algorithms it has. */
export type KernelName = 'chacha20-poly1305' | 'aes-gcm'

/**
 * How a kernel lays its work out in vectors. `columns` is faster on V8, `rows` on JavaScriptCore; a kernel with one
 * layout for all engines calls it by its name. Results are the same.
 */
export type KernelLayout = 'columns' | 'rows' | 'bitsliced'

/** What is known of a kernel without its bytes. */
export interface KernelFacts {
  readonly name: KernelName
  /** Its algorithms, as core packs their facts. */
  readonly family: AlgorithmFamily
  readonly constantTime: ConstantTimeClaim
}

/** Day the claims below were last held against the sources in `assembly/`. */
const AS_OF = '2026-11-30'

/** Facts of the kernel for ChaCha20-Poly1305 (RFC 8439) and XChaCha20-Poly1305. */
export const CHACHA20_POLY1305: KernelFacts = {
  name: 'chacha20-poly1305',
  family: POLY1305_FAMILY,
  constantTime: {
    level: 'structural',
    basis:
      'additions, multiplications, XORs, rotations; no secret decides an address or a branch; assumes an engine with constant-time WebAssembly',
    asOf: AS_OF,
  },
}

/** Facts of the kernel for AES-GCM (NIST SP 800-38D). */
export const AES_GCM: KernelFacts = {
  name: 'aes-gcm',
  family: GCM_FAMILY,
  constantTime: {
    level: 'bitsliced',
    basis:
      'bitsliced AES, GHASH in registers; no secret decides an address or a branch; assumes an engine with constant-time WebAssembly',
    asOf: AS_OF,
  },
}
