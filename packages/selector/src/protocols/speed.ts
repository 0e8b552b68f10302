import type { Evidence } from '@aeadkit/core'
import { slopePair } from '../evidence/slopes.ts'
import { asGiven, cpuFlag } from '../policy/facts.ts'

/** AES-GCM against ChaCha20-Poly1305 as measured on this machine. */
export interface MeasuredSpeed {
  /** Time of ChaCha20-Poly1305 over time of AES-GCM: above 1 AES-GCM is faster. */
  readonly ratio: number
  /** The faster of the two. */
  readonly faster: 'aes-gcm' | 'chacha20-poly1305'
  /** One line with both speeds. */
  readonly text: string
}

/** Stands for the backend of speeds that the caller gave: they have no unit. */
export const AS_GIVEN = 'as given'

/** What advice reads of the evidence. */
export type SpeedEvidence = Pick<
  Evidence,
  'measurements' | 'aes' | 'clmul' | 'hardwareClass' | 'arch' | 'items'
>

/** AES in script says nothing about a program that has the instructions. */
function isScript(items: SpeedEvidence['items'], backend: string): boolean {
  const value = items.find(({ name }) => name === `backend.${backend}`)?.value
  return value !== undefined && /, (wasm|js), /.test(value)
}

/**
 * The ratio inside the native backend that is fastest here and has both, at 64 KiB and more; `undefined` when none was
 * measured. Two backends are not compared: what differs then is the library.
 */
export function measuredSpeed({ items, measurements }: SpeedEvidence): MeasuredSpeed | undefined {
  let best: { backend: string; gcm: number; chacha: number } | undefined
  for (const backend of new Set(measurements.map((one) => one.backend))) {
    if (isScript(items, backend)) continue
    const pair = slopePair(measurements, backend)
    if (pair.gcm === undefined || pair.chacha === undefined) continue
    const [gcm, chacha] = [pair.gcm.perByte, pair.chacha.perByte]
    if (best === undefined || Math.min(gcm, chacha) < Math.min(best.gcm, best.chacha)) {
      best = { backend, gcm, chacha }
    }
  }
  if (best === undefined) return undefined
  const { backend, gcm, chacha } = best
  const ratio = chacha / gcm
  const rate = (nanoseconds: number): string => `${Math.round(1000 / nanoseconds)} MB/s`
  const faster = ratio >= 1 ? 'aes-gcm' : 'chacha20-poly1305'
  const lead =
    ratio >= 1 ? `AES-GCM is ${ratio.toFixed(2)}` : `ChaCha20-Poly1305 is ${(1 / ratio).toFixed(2)}`
  if (backend === AS_GIVEN) {
    const speed = (nanoseconds: number): string => String(Number((1000 / nanoseconds).toPrecision(12)))
    const pair = `AES-GCM ${speed(gcm)}, ChaCha20-Poly1305 ${speed(chacha)}`
    return { ratio, faster, text: `speeds as given: ${pair}: ${lead} times as fast` }
  }
  return {
    ratio,
    faster,
    text: `measured here (${backend}): AES-GCM ${rate(gcm)}, ChaCha20-Poly1305 ${rate(chacha)}: ${lead} times as fast`,
  }
}

const FLAGS: Readonly<Record<string, string>> = { arm64: 'aes|pmull', arm: 'aes|pmull' }

/** The ratio if there is one, and which flags to look at where a virtual machine may hide them. */
export function speedNotes(evidence: SpeedEvidence): readonly string[] {
  const measured = measuredSpeed(evidence)
  const [aes, clmul] = [cpuFlag(evidence, 'aes'), cpuFlag(evidence, 'clmul')]
  const instructions = aes === 'yes' && clmul === 'yes'
  const own = instructions && !asGiven(evidence) && measured?.faster === 'chacha20-poly1305'
  const speed =
    measured === undefined
      ? 'AES-GCM and ChaCha20-Poly1305 were not both measured here'
      : `${measured.text}${own ? ' in the library of this runtime; other programs have theirs' : ''}`
  const flags = FLAGS[evidence.arch] ?? 'aes|pclmulqdq'
  const look = `grep -o -w -E '${flags}' /proc/cpuinfo | sort -u`
  const models =
    'CPU models of hypervisors such as x86-64-v2-AES show aes without pclmulqdq; the model "host" shows what the machine has'
  if (aes === 'yes' && (clmul === 'no' || clmul === 'partial')) {
    return [
      speed,
      `the CPU shows AES but no carry-less multiply, which is no hardware for AES-GCM: ${models}`,
    ]
  }
  return [
    speed,
    instructions || evidence.hardwareClass === 'hardware'
      ? `a virtual machine at the other end may hide the instructions: there ${look} must print both (${models})`
      : `on a virtual machine look whether the guest sees the instructions: ${look} must print both (${models})`,
  ]
}
