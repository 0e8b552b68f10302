import { ALGORITHMS, type AlgorithmLimits, type AlgorithmParams, limitsOf } from '@aeadkit/core'
import { table } from './markdown.ts'

type Column = readonly [head: string, cell: (params: AlgorithmParams) => string]

const FORGERY: Readonly<Record<AlgorithmParams['nonceReuse']['forgery'], string>> = {
  key: 'any message under the key can be forged',
  'nonce-prefix': 'messages with the same first 12 nonce bytes can be forged',
  nonce: 'messages under that nonce can be forged',
  state: 'messages under that nonce can be forged, the state becomes recoverable',
  limited: 'limited integrity survives',
  none: 'no forgery',
}

const PLAINTEXT: Readonly<Record<AlgorithmParams['nonceReuse']['plaintext'], string>> = {
  xor: 'XOR of the plaintexts revealed',
  prefix: 'relations of the first differing blocks revealed',
  blocks: 'equal blocks revealed',
  equality: 'equality of whole messages revealed',
}

const SIZES: readonly Column[] = [
  ['Algorithm', ({ id }) => `\`${id}\``],
  ['Key', ({ keyBytes }) => `${keyBytes}`],
  ['Nonce', ({ nonceBytes }) => `${nonceBytes}`],
  ['Tag', ({ tagBytes, tagPosition }) => `${tagBytes}, at the ${tagPosition}`],
  ['Largest plaintext', ({ maxPlaintextBytes }) => nearPower(maxPlaintextBytes)],
  ['Largest AAD', ({ maxAadBytes }) => nearPower(maxAadBytes)],
  ['Specification of the sizes', ({ spec }) => spec],
]

const PROPERTIES: readonly Column[] = [
  ['Algorithm', ({ id }) => `\`${id}\``],
  [
    'A repeated nonce',
    ({ nonceReuse }) => `${PLAINTEXT[nonceReuse.plaintext]}; ${FORGERY[nonceReuse.forgery]}`,
  ],
  ['Key committing', ({ committing }) => (committing === false ? 'no' : `yes, 2^${committing} work`)],
  ['FIPS 140-3', ({ fips }) => fips.replace('not-approved', 'not approved')],
  ['CPU wants', ({ cpu }) => wants(cpu)],
  ['Needs the whole message', ({ wholeMessage }) => (wholeMessage ? 'yes' : 'no')],
]

const TARGET = -57
const MESSAGE_BYTES = 65_536

const LIMITS: readonly Column[] = [
  ['Algorithm', ({ id }) => `\`${id}\``],
  ['Messages, counted nonces', (params) => most(limits(params, 'counter').messages)],
  ['bound by', (params) => binding(limits(params, 'counter'))],
  ['Messages, random nonces', (params) => most(limits(params, 'random').messages)],
  ['bound by', (params) => binding(limits(params, 'random'))],
  ['Failed opens', (params) => most(limits(params, 'counter').failedOpens)],
  ['Shown at the target', (params) => shown(params)],
]

function limits(params: AlgorithmParams, nonce: 'counter' | 'random'): AlgorithmLimits {
  return limitsOf(params, { target: TARGET, nonce, messageBytes: MESSAGE_BYTES })
}

const most = (count: bigint | null): string => (count === null ? 'no limit known' : nearPower(count))

function binding({ bindingBound, basis }: AlgorithmLimits): string {
  return bindingBound === 'none' ? 'none' : `${bindingBound} (${basis})`
}

function shown(params: AlgorithmParams): string {
  const random = limits(params, 'random').targetShown
  const counter = limits(params, 'counter').targetShown
  if (random === counter) return random ? 'yes' : 'no'
  return random ? 'random nonces only' : 'counted nonces only'
}

/** The generated tables of `docs/ALGORITHMS.md`. */
export function algorithmTables(): { readonly part: string; readonly text: string }[] {
  return [
    { part: 'sizes', text: rowsOf(SIZES) },
    { part: 'properties', text: rowsOf(PROPERTIES) },
    { part: 'limits', text: rowsOf(LIMITS) },
  ]
}

function rowsOf(columns: readonly Column[]): string {
  return table(
    columns.map(([head]) => head),
    Object.values(ALGORITHMS).map((params) => columns.map(([, cell]) => cell(params))),
  )
}

function wants({ cipher, authenticator }: AlgorithmParams['cpu']): string {
  const named = new Set([cipher, authenticator].filter((name) => name !== 'none'))
  return named.size === 0 ? 'nothing special' : [...named].join(' + ')
}

/** Writes a count as `2^n`, as `2^n - k` with small `k`, in full, or as `about 2^n.mm` when it is huge. */
export function nearPower(value: bigint): string {
  if (value < 1_048_576n) return spaced(value)
  const bits = (value - 1n).toString(2).length
  const below = (1n << BigInt(bits)) - value
  if (below === 0n) return `2^${bits}`
  if (below <= 1024n) return `2^${bits} - ${below}`
  if (value < 1n << 53n) return spaced(value)
  return `about 2^${(Math.floor(log2(value) * 100) / 100).toFixed(2)}`
}

/** `16 773 120`, as the command line has it. */
const spaced = (value: bigint): string => value.toLocaleString('en-US').replaceAll(',', ' ')

function log2(value: bigint): number {
  const shift = BigInt(Math.max(0, value.toString(2).length - 53))
  return Math.log2(Number(value >> shift)) + Number(shift)
}
