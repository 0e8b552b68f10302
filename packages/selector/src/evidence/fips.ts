/**
 * The FIPS state of the host's OpenSSL, by doing. `getFips()` alone says nothing: it is 1 after `setFips(1)` without
 * any provider. A FIPS property query shows itself by what it refuses. None of this is a certificate.
 */
import type { EvidenceItem, FipsEvidence } from '@aeadkit/core'
import { type Attempt, type Host, type Reading, startOf } from '../host.ts'

/** What {@link fipsState} looks at; each call is made at most once. */
export interface FipsProbe {
  readonly runtime: string
  /** Whether the library is BoringSSL; `undefined` when the runtime does not say. */
  readonly boringssl: boolean | undefined
  /** `getFips()`, or `undefined`. */
  readonly flag: number | undefined
  readonly aesGcm: () => Attempt
  readonly chacha: () => Attempt
  readonly md5: () => Attempt
}

/** State and reason, without the operator's part. */
export type FipsFinding = Pick<FipsEvidence, 'state' | 'reason'>

/**
 * Decides the state. `enforcing` needs all of: Node's real OpenSSL, `getFips()` 1, AES-GCM works, ChaCha20-Poly1305
 * is refused, MD5 is refused. MD5 tells a property query from a build that merely lacks ChaCha20.
 */
export function fipsState(probe: FipsProbe): FipsFinding {
  if (probe.runtime !== 'node') {
    return {
      state: 'unknown',
      reason: `the runtime ${probe.runtime} does not show the state of a FIPS module`,
    }
  }
  if (probe.boringssl === true) return { state: 'unknown', reason: 'the library is BoringSSL, not OpenSSL' }
  if (probe.flag === undefined) return { state: 'unknown', reason: 'crypto.getFips() is not available' }
  if (probe.flag !== 1) return { state: 'off', reason: `crypto.getFips() is ${probe.flag}` }
  const aesGcm = probe.aesGcm()
  if (aesGcm !== true) {
    const reason = `crypto.getFips() is 1 but AES-GCM fails (${aesGcm}): most likely no FIPS provider is loaded`
    return { state: 'requested-unusable', reason }
  }
  const open = [probe.chacha() === true ? 'ChaCha20-Poly1305' : '', probe.md5() === true ? 'MD5' : ''].filter(
    Boolean,
  )
  if (open.length > 0) {
    const reason = `crypto.getFips() is 1 but ${open.join(' and ')} still works: no FIPS property query is in force`
    return { state: 'requested-unusable', reason }
  }
  return {
    state: 'enforcing',
    reason:
      'AES-GCM works, ChaCha20-Poly1305 and MD5 are refused: a FIPS property query is in force (not a certificate)',
  }
}

/** What an OpenSSL configuration says of providers. */
export interface OpensslConfig {
  /** Providers in the order of the file; `active` when their section says so. */
  readonly providers: readonly { readonly name: string; readonly active: boolean }[]
  /** `default_properties`, or `undefined`. */
  readonly defaultProperties: string | undefined
}

/** How deep files may include each other, and how many files are read in all: a configuration has a handful. */
const MAX_DEPTH = 8
const MAX_FILES = 64

/**
 * Joins continuation lines and inlines `.include` files, a few levels deep; missing files are skipped, and so is what
 * exceeds the number of files.
 */
function linesOf(text: string, read: (path: string) => Reading): string[] {
  let files = 0
  const lines: string[] = []
  const add = (part: string, depth: number): void => {
    for (const raw of part.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
      // Each pattern takes the rest whatever it is, so that none is tried again further on.
      const line = raw.replace(/(^|[^\\])#[\s\S]*$/, '$1').trim()
      const include = /^\.include\s*=?\s*([^\s=][\s\S]*)$/.exec(line)?.[1]
      if (include === undefined) {
        if (line !== '') lines.push(line)
      } else if (depth < MAX_DEPTH && files < MAX_FILES) {
        files++
        const file = read(include)
        if (file.state === 'read') add(file.text, depth + 1)
      }
    }
  }
  add(text, 0)
  return lines
}

/** Name of the section that a line begins. */
function headerOf(line: string): string | undefined {
  const name = line.startsWith('[') && line.endsWith(']') ? line.slice(1, -1) : undefined
  return name === undefined || name.includes(']') ? undefined : name.trim()
}

const TRUE = /^(1|yes|true|on|enabled?)$/i

/**
 * Reads provider names from an OpenSSL configuration file. Tolerant: what it does not understand it skips.
 * @param text - the file.
 * @param read - reads an included file; Default: none.
 * @see OpenSSL manual page config(5), "Provider Configuration".
 */
export function parseOpensslConfig(
  text: string,
  read: (path: string) => Reading = () => ({ state: 'absent' }),
): OpensslConfig {
  const sections = new Map<string, Map<string, string>>([['', new Map()]])
  let section = sections.get('') as Map<string, string>
  for (const line of linesOf(text, read)) {
    const header = headerOf(line)
    if (header !== undefined) {
      section = sections.get(header) ?? new Map<string, string>()
      sections.set(header, section)
      continue
    }
    const at = line.indexOf('=')
    if (at > 0)
      section.set(
        line.slice(0, at).trim(),
        line
          .slice(at + 1)
          .trim()
          .replace(/^(["'])(.*)\1$/, '$2'),
      )
  }
  const at = (name: string | undefined): ReadonlyMap<string, string> =>
    sections.get(name ?? '\0') ?? new Map()
  const top = at('')
  // Node reads the section named by nodejs_conf, every other program the one named by openssl_conf.
  const init = at(top.get('nodejs_conf') ?? top.get('openssl_conf'))
  const providers = [...at(init.get('providers'))].map(([name, where]) => {
    return { name, active: TRUE.test(at(where).get('activate') ?? '') }
  })
  return { providers, defaultProperties: at(init.get('alg_section')).get('default_properties') }
}

/** FIPS evidence with the observations behind it. */
export interface FipsResult {
  readonly fips: FipsEvidence
  readonly items: readonly EvidenceItem[]
}

function configPath(host: Host): { readonly path: string; readonly source: string } | undefined {
  // The option wins over the variable (node --help).
  const option = host.execArgv.flatMap((arg, at) => {
    if (arg.startsWith('--openssl-config=')) return [arg.slice('--openssl-config='.length)]
    return arg === '--openssl-config' ? [host.execArgv[at + 1] ?? ''] : []
  })[0]
  if (option) return { path: option, source: 'option --openssl-config' }
  const variable = startOf(host.env('OPENSSL_CONF'))
  if (variable.state !== 'read' || variable.text === '') return undefined
  return { path: variable.text, source: 'environment variable OPENSSL_CONF' }
}

function configured(host: Host): { readonly provider: string; readonly items: readonly EvidenceItem[] } {
  const config = configPath(host)
  if (config === undefined) return { provider: 'unknown', items: [] }
  const items: EvidenceItem[] = [
    { name: 'openssl.config', value: config.path, source: config.source, certainty: 'observed' },
  ]
  const file = host.readText(config.path)
  if (file.state !== 'read') return { provider: 'unknown', items }
  const parsed = parseOpensslConfig(file.text, (path) => host.readText(path))
  const active = parsed.providers.filter((provider) => provider.active).map((provider) => provider.name)
  items.push(
    {
      name: 'openssl.providers',
      value: active.join(', ') || 'unknown',
      source: config.path,
      certainty: 'inferred',
    },
    {
      name: 'openssl.default-properties',
      value: parsed.defaultProperties ?? 'unknown',
      source: config.path,
      certainty: parsed.defaultProperties === undefined ? 'unknown' : 'inferred',
    },
  )
  return { provider: active.join(', ') || 'unknown', items }
}

/**
 * Observes the FIPS state of this process.
 * @param host - the platform.
 * @param certificate - certificate as the operator states it; passed through, never looked up.
 */
export function collectFips(host: Host, certificate: string | null = null): FipsResult {
  const items: EvidenceItem[] = []
  const { crypto } = host
  const noted = (name: string, source: string, attempt: () => Attempt) => (): Attempt => {
    const result = attempt()
    const value = result === true ? 'works' : `refused (${result})`
    items.push({ name, value, source, certainty: 'observed' })
    return result
  }
  const missing = (): Attempt => 'no crypto library'
  const flag = crypto?.fips()
  items.push({
    name: 'fips.flag',
    value: flag === undefined ? 'unknown' : String(flag),
    source: 'crypto.getFips()',
    certainty: flag === undefined ? 'unknown' : 'observed',
  })
  const finding = fipsState({
    runtime: host.runtime,
    boringssl: host.boringssl,
    flag,
    aesGcm: noted(
      'fips.aes-gcm',
      'one AES-128-GCM message',
      () => crypto?.tryAead('aes-128-gcm', 16) ?? missing(),
    ),
    chacha: noted(
      'fips.chacha20-poly1305',
      'one ChaCha20-Poly1305 message',
      () => crypto?.tryAead('chacha20-poly1305', 32) ?? missing(),
    ),
    md5: noted('fips.md5', 'one MD5 digest', () => crypto?.tryDigest('md5') ?? missing()),
  })
  const config = configured(host)
  items.push({
    name: 'fips.state',
    value: finding.state,
    source: finding.reason,
    certainty: finding.state === 'unknown' ? 'unknown' : 'inferred',
  })
  return {
    fips: { ...finding, certificate, provider: config.provider },
    items: [...items, ...config.items],
  }
}
