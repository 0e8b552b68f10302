import type { AlgorithmId } from '@aeadkit/core'
import type { Facts } from './facts.ts'
import type { Field, VerdictClass, VerdictRuleId } from './rule.ts'
import { FASTER_BY, speedRatio } from './speed.ts'

/** Whether any list from outside binds the choice. */
export function isRegulated(facts: Facts): boolean {
  return facts.fips || facts.gost || facts.cnsa
}

/** The kind of case, for rules that do not name one themselves. */
export function caseOf(facts: Facts): VerdictClass {
  if (facts.execution !== 'native') return 'script'
  if (facts.frozen || facts.ends.class === 'unknown') return 'portable'
  return facts.ends.class === 'hardware' ? 'hardware-aes' : 'no-hardware-aes'
}

/**
 * Why AES-GCM is there, but only in WebAssembly or script, where the hardware of this machine says nothing of it;
 * `undefined` where a native library may compute it.
 */
export function gcmInScript({ candidates, options }: Facts, field: Field): string | undefined {
  const ids = ['aes-128-gcm', 'aes-256-gcm'] as const
  const having = ids.flatMap((id) => field.survivor(id)?.permitted ?? [])
  if (having.length === 0 || having.some(({ kind }) => kind === 'native')) return undefined
  const natives = candidates
    .filter(({ params }) => ids.some((id) => id === params.id))
    .flatMap(({ backends }) => backends.filter(({ kind }) => kind === 'native'))
  if (natives.length === 0) return 'no native library here has AES-GCM'
  const why = natives.map(({ claims, maxBytes, name, sync }) => {
    if (options.sync && !sync) return `${name}: answers by promise`
    if (options.wholeMessage && options.volume.messageBytes > maxBytes)
      return `${name}: at most ${maxBytes} B a call`
    return `${name}: ${claims.constantTime.level}, ${claims.constantTime.basis}`
  })
  return `native AES-GCM is left out (${[...new Set(why)].join('; ')})`
}

/** A count for a text: `2^20`, `68 652 433 344 (2^35.99)`, `1000`; the command line has the same. */
export function countText(count: bigint): string {
  const bits = count.toString(2)
  if (count > 1024n && /^10+$/.test(bits)) return `2^${bits.length - 1}`
  if (count < 100_000n) return count.toString()
  // Rounded down, as the documents have it: a limit must not look larger than it is, even just below a power of two.
  const exponent = Math.min(Math.floor(log2Of(count) * 100) / 100, bits.length - 0.01)
  return `${count.toString().replace(/\B(?=(\d{3})+$)/g, ' ')} (2^${exponent.toFixed(2)})`
}

/** log2 of a positive count of any size; exact enough for a sentence. */
export function log2Of(count: bigint): number {
  const bits = count.toString(2)
  const head = bits.slice(0, 52)
  return Math.log2(Number.parseInt(head, 2)) + (bits.length - head.length)
}

/** What a rule that names the ChaCha20-Poly1305 family gets. */
export interface Family {
  readonly algorithms: readonly AlgorithmId[]
  readonly reasons: readonly string[]
  readonly rules: readonly VerdictRuleId[]
}

/**
 * The member of the ChaCha20-Poly1305 family that fits the nonces: XChaCha20 when nonces are random and the lifetime
 * is frozen (V14) or 96 bits do not suffice (V15), else ChaCha20. The other one follows, for backends that lack the first.
 */
export function chachaFamily(facts: Facts): Family {
  const { most96, options, suffices96 } = facts
  const both = ['chacha20-poly1305', 'xchacha20-poly1305'] as const
  if (facts.limits.nonce !== 'random') return { algorithms: both, reasons: [], rules: [] }
  const bound = `96 random bits allow ${countText(most96)} messages at 2^${options.nonceTarget}`
  const asked = countText(options.volume.messages)
  if (!suffices96) {
    return {
      algorithms: [both[1], both[0]],
      reasons: [`V15: ${bound}, ${asked} are asked, so the nonce has 24 random bytes`],
      rules: ['V15'],
    }
  }
  if (facts.frozen) {
    return {
      algorithms: [both[1], both[0]],
      reasons: [`V14: ${bound}, enough for ${asked}, but what cannot be changed later takes 24 random bytes`],
      rules: ['V14'],
    }
  }
  return { algorithms: both, reasons: [`V14: ${bound}, enough for ${asked}`], rules: ['V14'] }
}

/**
 * The two with 192 random bits in order: XChaCha20-Poly1305 first, unless every reader has both halves of AES-GCM and
 * XAES-256-GCM measures at least 1.3 times faster, natively, at the caller's message size.
 */
export function wideNonceTie(facts: Facts, field: Field): Family {
  const usual = ['xchacha20-poly1305', 'xaes-256-gcm'] as const
  const xaes = field.survivor(usual[1])
  const xchacha = field.survivor(usual[0])
  if (facts.ends.class !== 'hardware' || xaes === undefined || xchacha === undefined) {
    return { algorithms: usual, reasons: [], rules: [] }
  }
  const bytes = Number(facts.options.volume.messageBytes)
  const measured = speedRatio(facts.evidence, xaes, xchacha, bytes)
  if (measured === undefined || measured.ratio < FASTER_BY)
    return { algorithms: usual, reasons: [], rules: [] }
  return {
    algorithms: [usual[1], usual[0]],
    reasons: [`XAES-256-GCM measures ${measured.ratio.toFixed(2)} times faster here (${measured.text})`],
    rules: [],
  }
}
