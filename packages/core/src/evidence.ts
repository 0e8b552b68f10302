import type { AlgorithmId } from './algorithms.ts'

/** `partial` is one of two halves where a pair is asked for. */
export type Presence = 'yes' | 'partial' | 'no' | 'unknown'

/** One observation with where it came from. */
export interface EvidenceItem {
  /** Dotted name, for example `cpu.flags.aes` or `openssl.mask.ia32cap`. */
  readonly name: string
  /** What was seen, as text; `unknown` when it could not be seen. */
  readonly value: string
  /** File, variable or call it was read from. */
  readonly source: string
  /** `observed` was read or done, `inferred` follows from something observed. */
  readonly certainty: 'observed' | 'inferred' | 'unknown'
}

/**
 * State of the FIPS machinery of the host's OpenSSL.
 * - `off`: FIPS mode was not requested.
 * - `requested-unusable`: requested, but approved algorithms fail or unapproved ones still work.
 * - `enforcing`: a FIPS property query is in force: AES-GCM works, ChaCha20-Poly1305 and MD5 are refused. This is
 *   an observation about behaviour, not a certificate.
 * - `unknown`: the runtime does not say.
 */
export type FipsModuleState = 'off' | 'requested-unusable' | 'enforcing' | 'unknown'

/** FIPS evidence. */
export interface FipsEvidence {
  /** What was observed. */
  readonly state: FipsModuleState
  /** Certificate as stated by the operator, never invented. */
  readonly certificate: string | null
  /** Provider named in the OpenSSL configuration, or `unknown`. */
  readonly provider: string
  /** Why the state is what it is, in one line. */
  readonly reason: string
}

/** One timing of one operation; `nanoseconds` are per message. */
export interface Measurement {
  readonly backend: string
  readonly algorithm: AlgorithmId
  readonly operation: 'seal' | 'open'
  /** Message length in bytes. */
  readonly bytes: number
  /** Median time of one message in nanoseconds. */
  readonly nanoseconds: number
  /** Best of the short runs: the least disturbed one. Absent where only one figure is known. */
  readonly bestNanoseconds?: number
  /** Present where results went to one array over and over: the cipher's time, without that of new memory. */
  readonly into?: true
}

/** Whether AES-GCM runs on instructions here: measured where possible, else from flags after masks. */
export type HardwareClass = 'hardware' | 'none' | 'unknown'

/** What was observed about this runtime. The selector fills it; backends read it to state their guarantees. */
export interface Evidence {
  /** Runtime name, for example `node`, `deno`, `bun`, `workerd`, `browser`. */
  readonly runtime: string
  /** Version of the runtime, or `unknown`. */
  readonly runtimeVersion: string
  /** Machine architecture in the kernel's words, for example `x64`, `arm64`; `unknown` where hidden. */
  readonly arch: string
  /** CPU model name, or `unknown`. */
  readonly cpuModel: string
  /** Whether AES round instructions are usable: CPU flags after OpenSSL masks. */
  readonly aes: Presence
  /** Whether carry-less multiplication is usable: CPU flags after OpenSSL masks. */
  readonly clmul: Presence
  /** What decided the hardware class. */
  readonly source: 'measured' | 'flags' | 'given' | 'unknown'
  /** The class the speed rules read. */
  readonly hardwareClass: HardwareClass
  /** FIPS machinery of the host. */
  readonly fips: FipsEvidence
  /** Every single observation behind the fields above. */
  readonly items: readonly EvidenceItem[]
  /** Timings taken in this process. */
  readonly measurements: readonly Measurement[]
}

/** What is known about another machine that must read the data. */
export interface HardwareReport {
  /** Free name for explanations, for example `raspberry-pi-4`. */
  readonly name: string
  /** Whether AES round instructions are usable there. */
  readonly aes: Presence
  /** Whether carry-less multiplication is usable there. */
  readonly clmul: Presence
  /** Day it was written, `YYYY-MM-DD`. */
  readonly asOf?: string | undefined
  /** Runtime it was written by, with its version. */
  readonly runtime?: string | undefined
}
