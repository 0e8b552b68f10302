import { execFileSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'

/** What a figure belongs to. */
export interface Machine {
  /** Runtime and exact version. */
  readonly runtime: string
  readonly cpu: string
  readonly cores: number
  /** Load average of the last minute when the run began. */
  readonly load: number
}

/** Names this runtime, CPU and load. */
export function machine(): Machine {
  const { versions } = process as { versions: Record<string, string | undefined> }
  const name = ['bun', 'deno', 'node'].find((key) => versions[key] !== undefined) ?? 'node'
  const processors = cpus()
  return {
    runtime: `${name} ${versions[name]}`,
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  }
}

/** MB/s of the system's OpenSSL for ChaCha20-Poly1305 in blocks of 16 KiB, or `undefined` where there is none. */
export function systemOpenssl(): number | undefined {
  const args = ['speed', '-mr', '-seconds', '1', '-bytes', '16384', '-evp', 'chacha20-poly1305']
  try {
    const text = execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const bytesPerSecond = Number(/^\+F:\d+:[^:]+:([\d.]+)/m.exec(text)?.[1])
    return Number.isFinite(bytesPerSecond) ? bytesPerSecond / 1e6 : undefined
  } catch {
    return undefined
  }
}
