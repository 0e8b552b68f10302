/**
 * The mask variables of RISC-V, IBM Z and POWER. Pure functions.
 * Rules: OpenSSL's manual pages OPENSSL_riscvcap(3) and OPENSSL_s390xcap(3); its crypto/ppccap.c and ppc_arch.h.
 */
import type { EvidenceItem } from '@aeadkit/core'
import { parseCpuinfo } from './cpu.ts'
import { unsignedLong } from './ia32cap.ts'

/** Both halves of AES-GCM as far as they are known. */
interface Halves {
  readonly aes: boolean | null
  readonly clmul: boolean | null
}

type Decoded = Halves & { readonly value: string; readonly how: string }

/** POWER has one bit for the vector instructions behind AES and GHASH, PPC_CRYPTO207. */
const POWER_CRYPTO = 0x4n

const DECODE: Readonly<
  Record<'riscv64' | 's390x' | 'ppc64le', (value: string, detected: Halves) => Decoded>
> = {
  riscv64: (value) => {
    // The same words as in /proc/cpuinfo, and they are the whole list.
    const listed = parseCpuinfo(`isa : ${value}\n`, 'riscv64')
    return { aes: listed?.aes ?? false, clmul: listed?.clmul ?? false, value, how: 'replaces detection' }
  },
  s390x: (_, { aes, clmul }) => ({
    // It clears bits of facilities and functions: what is off stays off, and what was there may be off as well.
    aes: aes === false ? false : null,
    clmul: clmul === false ? false : null,
    value: 'set, effect unknown: it can only take away',
    how: 'clears bits',
  }),
  ppc64le: (value) => {
    const bits = unsignedLong(value)
    const has = (bits & POWER_CRYPTO) !== 0n
    return { aes: has, clmul: has, value: `0x${bits.toString(16)}`, how: 'replaces detection' }
  },
}

const VARIABLES = { riscv64: 'riscvcap', s390x: 's390xcap', ppc64le: 'ppccap' } as const

/** What the variable of one of these architectures leaves. */
export function otherMask(
  arch: keyof typeof DECODE,
  text: string,
  detected: Halves,
): Halves & { readonly items: readonly EvidenceItem[] } {
  const { aes, clmul, how, value } = DECODE[arch](text, detected)
  const variable = VARIABLES[arch]
  const source = `environment variable OPENSSL_${variable}, ${how}`
  const items: EvidenceItem[] = [
    {
      name: `openssl.mask.${variable}`,
      value,
      source,
      certainty: arch === 's390x' ? 'unknown' : 'inferred',
    },
  ]
  const claimed = (['aes', 'clmul'] as const).filter(
    (half) => detected[half] === false && { aes, clmul }[half],
  )
  if (claimed.length > 0) {
    const value = claimed.join(' ')
    items.push({ name: 'openssl.mask.claims-missing', value, source, certainty: 'inferred' })
  }
  return { aes, clmul, items }
}
