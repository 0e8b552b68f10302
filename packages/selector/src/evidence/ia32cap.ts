/**
 * How the library reads `OPENSSL_ia32cap`. Pure functions.
 * Rules: OpenSSL's manual page OPENSSL_ia32cap(3) and its crypto/cpuid.c; BoringSSL's crypto/cpu_intel.c.
 */
import type { CpuFeature } from './cpu.ts'

/** Which library reads the variable: the two differ in what an omitted or empty vector means. */
export type MaskDialect = 'openssl' | 'boringssl'

/** What becomes of the bits of one 64-bit vector: `(detected & keep) | set`. */
export interface VectorMask {
  readonly keep: bigint
  readonly set: bigint
  /** What other releases of the library make of the same text; which of them reads it is not known. */
  readonly others?: readonly VectorMask[]
}

/** Every bit of a vector. */
export const ALL = 0xffff_ffff_ffff_ffffn
/** As detected. */
export const KEEP: VectorMask = { keep: ALL, set: 0n }
/** What becomes of a vector that is not mentioned; compared by identity. */
export const ZERO: VectorMask = { keep: 0n, set: 0n }

/** Bit 24 of vector 0 is FXSR. Clearing it also clears PCLMULQDQ (33), XOP (43), AES-NI (57) and AVX (60). */
const FXSR = 0x100_0000n
const FXSR_CASCADE = 0x1200_0802_0000_0000n

/** The library's own number reader: `0x` hexadecimal, `0` octal, else decimal; it stops at the first other character. */
export function maskNumber(text: string): bigint {
  const [, hex, octal, decimal] = /^(?:0x([0-9a-f]*)|(0[0-7]*)|([0-9]*))/i.exec(text) ?? []
  const value = hex !== undefined ? `0x${hex || '0'}` : octal !== undefined ? `0o${octal}` : decimal || '0'
  return BigInt(value) & ALL
}

/** Whether a number stands for the first vector, in place of what is detected. */
export function isBare(value: string): boolean {
  return !/^[~:]/.test(value)
}

function openssl(value: string, version: readonly [number, number]): readonly [VectorMask, VectorMask] {
  const fields = value.split(':')
  const one = (field: string): VectorMask =>
    field.startsWith('~')
      ? { keep: ALL ^ maskNumber(field.slice(1)), set: 0n }
      : { keep: 0n, set: maskNumber(field) }
  const [first = '', second] = fields
  // A leading colon keeps detection; a variable that is set but empty is the number 0.
  const vector0 = first === '' && fields.length > 1 ? KEEP : one(first)
  const cascade = first.startsWith('~') && (maskNumber(first.slice(1)) & FXSR) !== 0n
  const low = cascade ? { ...vector0, keep: vector0.keep & (ALL ^ FXSR_CASCADE) } : vector0
  // A vector that is not mentioned is zeroed; an empty last field is read as the number 0, by 3.0 and 3.5 alike. Where
  // a number stands for the first one, nothing is detected at all, and there is nothing to clear bits of or to keep.
  if (second === undefined || (second === '' && fields.length === 2)) return [low, ZERO]
  if (isBare(value) && (second === '' || second.startsWith('~'))) return [low, { ...ZERO }]
  // Releases with only two vectors read an empty second field before a further colon as the number 0.
  const skips = version[0] > 3 || (version[0] === 3 && version[1] >= 5)
  return [low, second === '' ? (skips ? KEEP : ZERO) : one(second)]
}

/** Nothing is known of a vector: as detected, or anything else. */
const UNSURE: VectorMask = {
  keep: 0xffff_ffff_ffff_ffffn,
  set: 0n,
  others: [
    { keep: 0n, set: 0n },
    { keep: 0n, set: 0xffff_ffff_ffff_ffffn },
  ],
}

/**
 * One vector as BoringSSL reads it. Releases up to 2024 used sscanf(), with `%lx` after `0x` and `%lu` else; later
 * ones want the whole field to be a number. Where they differ it is not known which of them reads it.
 * @param last - nothing follows, not even a colon.
 */
function boringVector(field: string, last: boolean): VectorMask {
  const [, operation, hexadecimal, decimal = '0'] =
    /^([~|]?)(?:0x([0-9a-f]+)|([0-9]+))$/.exec(field.replace(/[A-F]/g, (digit) => digit.toLowerCase())) ?? []
  if (operation !== undefined) {
    const number = BigInt(hexadecimal === undefined ? decimal : `0x${hexadecimal}`)
    if (number > ALL) return UNSURE
    if (operation === '~') return { keep: ALL ^ number, set: 0n }
    // The earlier releases look for the number at the wrong place after |, and then change nothing.
    return operation === '' ? { keep: 0n, set: number } : { ...KEEP, others: [{ keep: ALL, set: number }] }
  }
  const [, rest = ''] = /^[~|]?\s*([\s\S]*)$/.exec(field) ?? []
  // sscanf() finds no number and nothing is changed; at the end of the text it leaves the number unwritten.
  if (!/^[+-]?[0-9]/.test(rest)) return rest !== '' || !last ? KEEP : UNSURE
  // To the one this is no number, to the other it clears the bits of 0.
  return /^~0+[^0-9x]/.test(field) ? KEEP : UNSURE
}

function boringssl([first = '', second, ...more]: readonly string[]): readonly [VectorMask, VectorMask] {
  return [
    boringVector(first, second === undefined),
    second === undefined ? KEEP : boringVector(second, more.length === 0),
  ]
}

/** `3.0.19` as numbers; a version that cannot be read counts as the oldest supported. */
export function versionOf(text: string | undefined): readonly [number, number] {
  const [, major = '3', minor = '0'] = /^(\d+)\.(\d+)/.exec(text ?? '') ?? []
  return [Number(major), Number(minor)]
}

/**
 * Decodes `OPENSSL_ia32cap` into its first two vectors: CPUID(1).EDX and .ECX, CPUID(7,0).EBX and .ECX.
 * @param value - the variable as it is set.
 * @param dialect - the library that reads it.
 * @param version - version of OpenSSL; it decides whether an empty field between colons keeps detection.
 */
export function decodeIa32cap(
  value: string,
  dialect: MaskDialect,
  version?: string,
): readonly [VectorMask, VectorMask] {
  return dialect === 'openssl' ? openssl(value, versionOf(version)) : boringssl(value.split(':'))
}

/** Applies a decoded vector to detected bits. */
export function applyMask(detected: bigint, mask: VectorMask): bigint {
  return (detected & mask.keep) | mask.set
}

/** Features by vector and bit; more than one bit means all of them. */
export const IA32_BITS: Readonly<
  Partial<Record<CpuFeature, { readonly vector: 0 | 1; readonly bits: readonly number[] }>>
> = {
  clmul: { vector: 0, bits: [33] },
  ssse3: { vector: 0, bits: [41] },
  aes: { vector: 0, bits: [57] },
  avx2: { vector: 1, bits: [5] },
  avx512: { vector: 1, bits: [16, 17, 30, 31] },
  vaes: { vector: 1, bits: [41] },
  vpclmulqdq: { vector: 1, bits: [42] },
}

/** Instructions of x86 that ChaCha20 runs on in OpenSSL, narrowest first. */
export const CHACHA_FEATURES = ['ssse3', 'avx2', 'avx512'] as const

/** One vector as OpenSSL reads it whole. An empty one between colons keeps what is detected. */
const NUMBER = /^~?(?:0x[0-9a-f]+|0[0-7]*|[1-9]\d*)$/i
/** The same of BoringSSL. */
const BORING_NUMBER = /^[~|]?(?:0x[0-9a-fA-F]+|\d+)$/

/** Whether every vector of `OPENSSL_ia32cap` is a number to the library, so that all of the text has its effect. */
export function isIa32cap(value: string, dialect: MaskDialect = 'openssl'): boolean {
  const number = dialect === 'openssl' ? NUMBER : BORING_NUMBER
  return value !== '' && value.split(':').every((field) => field === '' || number.test(field))
}

const WHOLE = /^[ \t\n\v\f\r]*([+-]?)(0x[0-9a-f]+|0[0-7]*|[1-9]\d*)/i

/** A number as C's `strtoul()` with base 0 reads it, which the variables of one number are for; what is none is 0. */
export function unsignedLong(text: string): bigint {
  const [, sign, digits = '0'] = WHOLE.exec(text) ?? []
  const value = maskNumber(digits)
  return (sign === '-' ? -value : value) & ALL
}

/** Whether a variable of one number is one to the end. */
export function isUnsignedLong(value: string): boolean {
  return WHOLE.exec(value)?.[0] === value
}

/** What is said of a value that means less, or something else, than is written. */
export function readAs(value: string, what: string): string {
  return `${value === '' ? 'set but empty, which counts as 0:' : 'no number, and is read as:'} ${what}`
}
