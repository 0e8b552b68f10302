import { ALGORITHMS, type AlgorithmParams } from '@aeadkit/core'
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

/** The generated tables of `docs/ALGORITHMS.md`. */
export function algorithmTables(): { readonly part: string; readonly text: string }[] {
  return [
    { part: 'sizes', text: rowsOf(SIZES) },
    { part: 'properties', text: rowsOf(PROPERTIES) },
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

/** Writes a size as `2^n`, `2^n - k` with small `k`, or in full. */
export function nearPower(value: bigint): string {
  const bits = (value - 1n).toString(2).length
  const below = (1n << BigInt(bits)) - value
  if (below === 0n) return `2^${bits}`
  if (below <= 65_536n && value > 1_048_576n) return `2^${bits} - ${below}`
  return value.toLocaleString('en-US')
}
