import { ALGORITHMS, type AlgorithmId, type Backend, type Evidence } from '@aeadkit/core'

/** AES-GCM against ChaCha20-Poly1305 inside one native library. */
export interface LibraryRatio {
  readonly backend: string
  readonly gcm: AlgorithmId
  /** Nanoseconds per byte at 64 KiB and more. */
  readonly gcmPerByte: number
  readonly chachaPerByte: number
}

/** Shorter messages show the call, not the cipher. */
const LONG_BYTES = 65_536

/** The fastest backend for one algorithm and length. */
export interface Fastest {
  readonly algorithm: AlgorithmId
  readonly bytes: number
  readonly backend: string
  readonly nanoseconds: number
}

function timeOf({ bestNanoseconds, nanoseconds }: Evidence['measurements'][number]): number {
  return bestNanoseconds ?? nanoseconds
}

/** Nanoseconds per byte of long messages, or `undefined` where none was timed. */
function perByteOf({ measurements }: Evidence, backend: string, algorithm: AlgorithmId): number | undefined {
  const long = measurements.filter(
    (one) =>
      one.backend === backend &&
      one.algorithm === algorithm &&
      one.operation === 'seal' &&
      one.bytes >= LONG_BYTES,
  )
  return long.length === 0 ? undefined : Math.min(...long.map((one) => timeOf(one) / one.bytes))
}

/** The two ciphers in every native library that has both and was timed. */
export function ratiosOf(evidence: Evidence, backends: readonly Backend[]): readonly LibraryRatio[] {
  return backends.flatMap(({ kind, name }): LibraryRatio[] => {
    if (kind !== 'native') return []
    const chachaPerByte = perByteOf(evidence, name, 'chacha20-poly1305')
    const gcm = (['aes-128-gcm', 'aes-256-gcm'] as const).find(
      (id) => perByteOf(evidence, name, id) !== undefined,
    )
    if (chachaPerByte === undefined || gcm === undefined) return []
    return [{ backend: name, gcm, gcmPerByte: perByteOf(evidence, name, gcm)!, chachaPerByte }]
  })
}

/** Backends that a FIPS module in force excludes, though they were timed. */
export interface LeftOut {
  readonly backends: readonly string[]
  readonly reason: string
}

/**
 * Backends with timings that no selection would use while a FIPS module is in force, unless told to leave the module.
 * @returns `undefined` where no module is, or none of them was timed.
 */
export function leftOutOf(evidence: Evidence, backends: readonly Backend[]): LeftOut | undefined {
  const { fips, measurements } = evidence
  if (fips.state !== 'enforcing') return undefined
  const outside = ({ algorithms, kind, raw }: Backend): boolean =>
    kind !== 'native' ||
    algorithms.every((id) => raw.claims(ALGORITHMS[id], evidence).fipsModule !== 'enforcing')
  const names = backends.filter(outside).map(({ name }) => name)
  const timed = names.filter((name) => measurements.some(({ backend }) => backend === name))
  if (timed.length === 0) return undefined
  const reason = `outside the FIPS module that is in force: only --fips off and approved-algorithms would use ${timed.length === 1 ? 'it' : 'them'}`
  return { backends: timed, reason }
}

/** The fastest backend for every algorithm and length that was sealed, in the order of the table of algorithms. */
export function fastestOf({ measurements }: Evidence, without: readonly string[] = []): readonly Fastest[] {
  const best = new Map<string, Fastest>()
  for (const one of measurements) {
    if (one.operation !== 'seal' || without.includes(one.backend)) continue
    const { algorithm, backend, bytes } = one
    const key = `${algorithm} ${bytes}`
    const nanoseconds = timeOf(one)
    if (nanoseconds < (best.get(key)?.nanoseconds ?? Number.POSITIVE_INFINITY))
      best.set(key, { algorithm, bytes, backend, nanoseconds })
  }
  const order = Object.keys(ALGORITHMS)
  return [...best.values()].sort(
    (a, b) => order.indexOf(a.algorithm) - order.indexOf(b.algorithm) || a.bytes - b.bytes,
  )
}

/** `16 KiB`. */
export function sizeText(bytes: number): string {
  if (bytes >= 1_048_576 && bytes % 1_048_576 === 0) return `${bytes / 1_048_576} MiB`
  return bytes >= 1024 && bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} B`
}

/** Time for short messages, throughput for long ones: each says what matters there. */
export function rateText(bytes: number, nanoseconds: number): string {
  if (bytes < 4096) return `${(nanoseconds / 1000).toFixed(1)} µs`
  return `${((bytes / nanoseconds) * 1000).toFixed(0)} MB/s`
}
