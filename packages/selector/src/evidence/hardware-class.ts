/**
 * Whether AES-GCM runs on instructions here. Decided by the slope of AES-GCM against ChaCha20-Poly1305 inside one
 * native backend at 64 KiB and more, where call cost no longer matters; by flags only where that cannot be had.
 */
import type { Backend, BackendKind, Evidence, HardwareClass, Measurement } from '@aeadkit/core'
import { NOISE } from './costs.ts'
import { type Slope, type SlopePair, slopePair } from './slopes.ts'

/** Time of ChaCha20-Poly1305 over time of AES-GCM, per byte: from here on it is the hardware. */
export const HARDWARE_RATIO = 1
/** Below this it is not. Between the two flags decide. */
export const SOFTWARE_RATIO = 0.5

/** What the class is decided from. */
export interface HardwareClassInput {
  readonly measurements: readonly Measurement[]
  /** Kind of every permitted backend, by name. */
  readonly kinds: Readonly<Record<string, BackendKind>>
  /** Both halves after masks: `true`, `false`, or `null` when nothing says. */
  readonly flags: boolean | null
  /** What to say instead of the measured times, when they were not measured here. */
  readonly told?: string
}

/** The class with what decided it. */
export interface HardwareVerdict {
  readonly hardwareClass: HardwareClass
  readonly source: Extract<Evidence['source'], 'measured' | 'flags' | 'unknown'>
  /** One line for people. */
  readonly reason: string
  /**
   * Present where native backends did not settle it, and the best of all kinds were compared: some disagree, or none
   * has both ciphers.
   */
  readonly across?: 'disagreeing' | 'incomplete'
}

/** The fastest of all backends. */
function fastest(pairs: readonly SlopePair[], which: keyof SlopePair): Slope | undefined {
  const known = pairs.flatMap((pair) => pair[which] ?? [])
  return known.sort((a, b) => a.perByte - b.perByte)[0]
}

const shown = (slope: Slope): string =>
  `${slope.algorithm} ${slope.perByte.toFixed(2)} ns/B (${slope.backend})`

function byFlags(flags: boolean | null, prefix: string): HardwareVerdict {
  if (flags === null)
    return { hardwareClass: 'unknown', source: 'unknown', reason: `${prefix}; no flags are visible` }
  const hardwareClass = flags ? 'hardware' : 'none'
  const said = flags
    ? 'show the instructions that AES-GCM needs'
    : 'do not show both AES and carry-less multiply'
  return { hardwareClass, source: 'flags', reason: `${prefix}: the flags after masks ${said}` }
}

/**
 * Decides the class. Only native backends with both ciphers count alone; when several disagree or none has both, the
 * best native AES-GCM has to beat the best permitted ChaCha20-Poly1305 by more than noise.
 */
export function hardwareClassOf(input: HardwareClassInput): HardwareVerdict {
  const natives = Object.keys(input.kinds).filter((name) => input.kinds[name] === 'native')
  if (natives.length === 0) return byFlags(input.flags, 'flag, unmeasured: no native backend')
  const inside = natives.flatMap((name) => {
    const { chacha, gcm } = slopePair(input.measurements, name)
    if (gcm === undefined || chacha === undefined) return []
    const ratio = chacha.perByte / gcm.perByte
    const verdict: HardwareClass =
      ratio >= HARDWARE_RATIO ? 'hardware' : ratio < SOFTWARE_RATIO ? 'none' : 'unknown'
    const pair = input.told ?? `${shown(gcm)} against ${shown(chacha)}`
    return [{ verdict, text: `${pair}, ratio ${ratio.toFixed(2)}` }]
  })
  const label = input.told === undefined ? 'measured: ' : ''
  const decided = inside.filter((one) => one.verdict !== 'unknown')
  const [first] = decided
  if (first !== undefined && decided.every((one) => one.verdict === first.verdict)) {
    return { hardwareClass: first.verdict, source: 'measured', reason: `${label}${first.text}` }
  }
  if (first === undefined && inside.length > 0) {
    return byFlags(input.flags, `${label}too close to tell (${inside.map((one) => one.text).join('; ')})`)
  }
  const pairsOf = (names: readonly string[]): readonly SlopePair[] =>
    names.map((name) => slopePair(input.measurements, name))
  // A kernel that computes AES without the instructions says nothing of them, however fast it is.
  const gcm = fastest(pairsOf(natives), 'gcm')
  const chacha = fastest(pairsOf(Object.keys(input.kinds)), 'chacha')
  if (gcm === undefined || chacha === undefined) {
    return { ...byFlags(input.flags, 'flag, unmeasured'), across: 'incomplete' }
  }
  const across = first === undefined ? 'incomplete' : 'disagreeing'
  const why = across === 'incomplete' ? 'no native backend has both' : 'native backends disagree'
  const beats = gcm.perByte * (1 + NOISE) < chacha.perByte
  const tie = !beats && gcm.perByte < chacha.perByte ? `, a tie within ${NOISE * 100} %` : ''
  return {
    hardwareClass: beats ? 'hardware' : 'none',
    source: 'measured',
    reason: `measured: ${why}; best ${shown(gcm)} against best ${shown(chacha)}${tie}`,
    across,
  }
}

/** Kind of each backend by name. */
export function kindsOf(backends: readonly Backend[]): Record<string, BackendKind> {
  return Object.fromEntries(backends.map((backend) => [backend.name, backend.kind]))
}
