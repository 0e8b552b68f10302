/** What the OPENSSL_*cap variables do to a process, and what to write instead. */
import type { EvidenceItem } from '@aeadkit/core'
import { closingVaes, keepingChacha, keepingSecond, maskVariableOf, UNSET } from '@aeadkit/selector'
import { type Look, type Row, slower } from './finding.ts'

/** The variable that was decoded, which is the one of this architecture; the others are without effect. */
export function maskOf(items: readonly EvidenceItem[]): Look['mask'] {
  const item = items.find(({ certainty, name }) => {
    const [, variable] = /^env\.OPENSSL_(\w+cap)$/.exec(name) ?? []
    const decoded =
      variable !== undefined && items.some((one) => one.name.startsWith(`openssl.mask.${variable}`))
    return decoded && certainty !== 'unknown'
  })
  return item === undefined ? undefined : { name: item.name.slice(4), value: item.value }
}

type Mask = NonNullable<Look['mask']>

function unset({ name }: Mask): string {
  return `unset ${name} and start the process again (it is read once, at the start); keep it only for a test`
}

const NAMES: Readonly<Record<string, string>> = {
  aes: 'AES',
  clmul: 'carry-less multiply',
  ssse3: 'SSSE3',
  avx2: 'AVX2',
  avx512: 'AVX-512',
  vaes: 'VAES',
  vpclmulqdq: 'VPCLMULQDQ',
  neon: 'NEON',
}

/** Instructions by the names that people know them by. */
export function instructionNames(features: string, between: string): string {
  return features
    .split(' ')
    .map((feature) => NAMES[feature] ?? feature)
    .join(between)
}

/** The same mask with what ChaCha20 runs on; where the rules of the library are others, only taking it away is sure. */
function keptChacha({ name, value: mask }: Mask, value: Look['value']): string {
  if (name === 'OPENSSL_armcap') return `0x${(BigInt(value('openssl.mask.armcap') ?? 0) | 1n).toString(16)}`
  if (value('library.boringssl') === 'yes') return UNSET
  return keepingChacha(mask, (feature) => value(`cpu.flags.${feature}`) === 'yes', value('library.openssl'))
}

/** The mask that has the effect that was meant; where nothing of it is left, taking it away. */
function rewrite(mask: Mask, value: string): string {
  return value === UNSET ? unset(mask) : `where the mask is meant, write ${mask.name}='${value}'`
}

/** Whether the vector that is not mentioned, or empty, is all that ChaCha20 loses. */
function secondVectorAlone(value: Look['value']): boolean {
  if (value('openssl.mask.second-vector') === undefined) return false
  return !/ssse3/.test(value('openssl.mask.chacha20') ?? '')
}

/** Whether VAES with AVX-512 computes AES-GCM behind the mask, as far as timings do not tell otherwise. */
function hasWayRound({ hardwareClass }: Look['evidence'], value: Look['value']): boolean {
  return value('openssl.mask.vaes-trap') !== undefined && hardwareClass !== 'none'
}

/** Masks that end the process or make AES slow, dearest first. */
export const AES_MASK_ROWS: Readonly<Record<string, Row>> = {
  'mask-claims-missing': ({ mask, value }) => {
    const claims = value('openssl.mask.claims-missing')
    if (mask === undefined || claims === undefined) return undefined
    return {
      problem: `${mask.name}=${mask.value} replaces what is detected and claims ${instructionNames(claims, ', ')}, which this CPU does not show: the process ends with SIGILL when OpenSSL uses it`,
      action: unset(mask),
    }
  },
  'mask-no-number': ({ mask, value }) => {
    const why = value('openssl.mask.no-number')
    if (mask === undefined || why === undefined) return undefined
    const left = ['ia32cap.vector0', 'ia32cap.vector1', 'armcap'].map((name) => value(`openssl.mask.${name}`))
    const nothing = left.every((one) => one === undefined || one === 'zeroed' || one === '0x0')
    return {
      problem: `${mask.name}=${JSON.stringify(mask.value)} is ${why}${nothing ? ': every instruction that OpenSSL looks for is taken away' : ''}`,
      action: unset(mask),
    }
  },
  mask: ({ evidence, hidden, mask, ratios, value }) => {
    // A mask that AES-GCM has a way round has a finding of its own.
    if (mask === undefined || hidden.length === 0 || hasWayRound(evidence, value)) return undefined
    const runs = evidence.hardwareClass === 'hardware'
    return {
      problem: `${mask.name}=${mask.value} ${runs ? 'would hide' : 'hides'} ${hidden.join(' and ')}, which the CPU has, from the library of ${evidence.runtime}: ${
        runs ? 'AES-GCM runs on instructions all the same' : slower(ratios)
      }`,
      action: unset(mask),
    }
  },
}

/** Masks that cost less, or nothing. */
export const OTHER_MASK_ROWS: Readonly<Record<string, Row>> = {
  'mask-late': ({ evidence, value }) => {
    const name = maskVariableOf(evidence.arch)
    const now = name === undefined ? undefined : value(`env.now.${name}`)
    if (name === undefined || now === undefined) return undefined
    const start = value(`env.${name}`)
    const gone = now === 'not set'
    const done = gone
      ? `${name} was taken away`
      : `${name}=${now} was set${start === undefined ? '' : ` in place of ${start}`}`
    return {
      problem: `${done} after the process started, which has no effect: it is read once, at the start`,
      action: gone
        ? `start the process without ${name}: env -u ${name} ${evidence.runtime} …`
        : `where it is meant, set ${name}='${now}' in the environment before the process starts; else do not set it`,
    }
  },
  'mask-chacha20': ({ mask, value }) => {
    const lost = value('openssl.mask.chacha20')
    // A vector that is not mentioned has a finding of its own, unless the other one takes more away.
    if (mask === undefined || lost === undefined || secondVectorAlone(value)) return undefined
    return {
      problem: `${mask.name}=${mask.value} hides ${instructionNames(lost, ' and ')}, which the CPU has and which ChaCha20-Poly1305 of this library runs on: that is slower too`,
      action: rewrite(mask, keptChacha(mask, value)),
    }
  },
  'mask-second-vector': ({ mask, value }) => {
    if (mask === undefined || !secondVectorAlone(value)) return undefined
    const what = mask.value.includes(':')
      ? `=${mask.value} leaves the second vector empty, which OpenSSL reads as 0`
      : ' names one vector only, and OpenSSL zeroes the other'
    return {
      problem: `${mask.name}${what}: AVX2 and AVX-512 are off too, and ChaCha20-Poly1305 of OpenSSL runs at about half its speed`,
      action: rewrite(mask, keepingSecond(mask.value)),
    }
  },
  'mask-without-effect': ({ evidence, mask, value }) =>
    mask === undefined || !hasWayRound(evidence, value)
      ? undefined
      : {
          problem: `${mask.name} ${evidence.hardwareClass === 'hardware' ? 'does' : 'may'} not slow AES-GCM down here: ${value('openssl.mask.vaes-trap')}`,
          action: rewrite(mask, closingVaes(mask.value, value('library.openssl'))),
        },
  'mask-not-read': ({ evidence, mask }) => {
    const set = evidence.items.find(
      ({ name, value: text }) => name.startsWith('openssl.mask.') && /effect unknown|not read/.test(text),
    )
    if (set === undefined || mask === undefined) return undefined
    const unknown = /clears bits/.test(set.source)
      ? 'which instructions it takes away is not known'
      : `whether the library of ${evidence.runtime} reads it is not known`
    return {
      problem: `${mask.name} is set, and ${unknown}`,
      settled: 'timings tell what the library uses, whatever the variable says',
    }
  },
}
