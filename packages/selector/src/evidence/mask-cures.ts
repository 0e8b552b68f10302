/**
 * What to write instead of a mask that does more, or less, than its writer meant. Every answer, decoded by the rules of
 * `ia32cap.ts`, has the effect it promises. Pure functions.
 */
import {
  ALL,
  CHACHA_FEATURES,
  decodeIa32cap,
  IA32_BITS,
  isBare,
  isIa32cap,
  KEEP,
  maskNumber,
  type VectorMask,
} from './ia32cap.ts'

/** Instead of a value: nothing is left to mask, or what was written means nothing. */
export const UNSET = 'unset'

/** VAES and VPCLMULQDQ, bits 41 and 42 of vector 1. */
const WIDE_AES = 0x600_0000_0000n
const hex = (value: bigint): string => `0x${value.toString(16)}`

/** A vector as text: what it clears, or what it replaces detection by. */
function vectorText({ keep, set }: VectorMask): string {
  return keep === 0n ? hex(set) : `~${hex(ALL ^ keep)}`
}

function keepsAll({ keep, set }: VectorMask): boolean {
  return keep === ALL && set === 0n
}

/** Gives bits back: they are as detected, or, where a number replaces detection, set only if the CPU has them. */
function without(mask: VectorMask, bits: bigint): VectorMask {
  return mask.keep === 0n ? { keep: 0n, set: mask.set | bits } : { ...mask, keep: mask.keep | bits }
}

function assembled(value: string, low: string, high: VectorMask): string {
  const [, , ...more] = value.split(':')
  const first = low === '' || keepsAll(decodeIa32cap(`${low}:~0x0`, 'openssl')[0]) ? '' : low
  // Two vectors as detected are no mask, unless later ones are masked.
  if (first === '' && keepsAll(high) && more.every((field) => field === '')) return UNSET
  const text = [first, vectorText(high), ...more].join(':').replace(/:+$/, '')
  return text
}

/** The same mask with the second vector as detected; after a number for the first one nothing is detected. */
export function keepingSecond(value: string): string {
  if (!isIa32cap(value) || isBare(value)) return UNSET
  return assembled(value, value.split(':')[0] ?? '', KEEP)
}

/** The same mask with the way round AES-NI, by VAES and AVX-512, closed as well. */
export function closingVaes(value: string, version?: string): string {
  if (!isIa32cap(value)) return UNSET
  const [, high] = decodeIa32cap(value, 'openssl', version)
  const closed = { keep: high.keep & (ALL ^ WIDE_AES), set: high.set & (ALL ^ WIDE_AES) }
  return assembled(value, value.split(':')[0] ?? '', closed)
}

/** The same mask of AES and the multiply with every vector instruction of ChaCha20 that the CPU has. */
export function keepingChacha(
  value: string,
  has: (feature: (typeof CHACHA_FEATURES)[number]) => boolean,
  version?: string,
): string {
  if (!isIa32cap(value)) return UNSET
  const bits = [0n, 0n]
  for (const feature of CHACHA_FEATURES) {
    const { bits: own, vector } = IA32_BITS[feature]!
    if (has(feature)) for (const bit of own) bits[vector] = bits[vector]! | (1n << BigInt(bit))
  }
  const [low, high] = decodeIa32cap(value, 'openssl', version)
  const [first = ''] = value.split(':')
  // A second vector that is not mentioned was never meant to be zeroed.
  const second = value.split(':')[1] || isBare(value) ? without(high, bits[1]!) : KEEP
  // The number as written clears FXSR and what hangs on it; given back bits must not bring those back.
  const written = first.startsWith('~') ? maskNumber(first.slice(1)) : undefined
  const given =
    first === ''
      ? ''
      : written === undefined
        ? hex(low.set | bits[0]!)
        : `~${hex(written & (ALL ^ bits[0]!))}`
  return assembled(value, given, second)
}
