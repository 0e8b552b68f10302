import type { CpuFlags } from '../src/evidence/cpu.ts'

/** An x86-64 CPU with everything that ciphers use, except AVX-512. */
export const FULL: CpuFlags = {
  arch: 'x86_64',
  model: 'test',
  processors: 1,
  aes: true,
  clmul: true,
  ssse3: true,
  avx2: true,
  avx512: false,
  vaes: true,
  vpclmulqdq: true,
  gcmHardware: true,
}

/** And with it. */
export const WIDE: CpuFlags = { ...FULL, avx512: true }
