import type { AlgorithmId } from '@aeadkit/core'
import { PROFILE_SIZES } from '../placement/place.ts'
import type { Facts } from './facts.ts'
import { chachaFamily } from './family.ts'
import type { Assessed, Field, Preference, RuleRow, VerdictClass } from './rule.ts'
import { FASTER_BY, type SpeedRatio, speedRatioOver } from './speed.ts'

const GCM = ['aes-128-gcm', 'aes-256-gcm'] as const

/** Every end is known and the choice can be taken back. */
function isKnown(facts: Facts): boolean {
  return !facts.frozen && facts.ends.class !== 'unknown'
}

function family(facts: Facts, kind: VerdictClass, reasons: readonly string[], against: string): Preference {
  const members = chachaFamily(facts)
  return {
    algorithms: members.algorithms,
    class: kind,
    reasons: [...reasons, ...members.reasons],
    also: members.rules,
    against,
  }
}

/** Lengths in bytes that V21 compares at: the caller's, else those that the profile stands for. */
function lengthsOf({ options: { profile, sized, volume } }: Facts): readonly number[] {
  return sized ? [Number(volume.messageBytes)] : PROFILE_SIZES[profile]
}

/** The lengths for a sentence: `64 B`, `64, 256 and 1350 B`. */
function lengthsText(facts: Facts): string {
  const lengths = lengthsOf(facts)
  const last = lengths.at(-1)
  return lengths.length < 2 ? `${last} B` : `${lengths.slice(0, -1).join(', ')} and ${last} B`
}

/** ChaCha20-Poly1305 on any permitted backend against AES-GCM on native ones, at those lengths. */
function chachaRatio(facts: Facts, field: Field): SpeedRatio | undefined {
  const first = (ids: readonly AlgorithmId[]): Assessed | undefined =>
    ids.map((id) => field.survivor(id)).find((one) => one !== undefined)
  const [gcm, chacha] = [first(GCM), first(chachaFamily(facts).algorithms)]
  if (gcm === undefined || chacha === undefined) return undefined
  return speedRatioOver(facts.evidence, chacha, gcm, lengthsOf(facts))
}

function minds(facts: Facts): boolean {
  return facts.options.profile !== 'throughput'
}

/** The variable that takes the multiply from this machine, which has it; `undefined` where none does. */
function maskHere({ aes, clmul, hardwareClass, items }: Facts['evidence']): string | undefined {
  const value = (item: string): string | undefined => items.find(({ name }) => name === item)?.value
  if (hardwareClass === 'hardware' || aes !== 'yes' || clmul === 'yes' || clmul === 'unknown')
    return undefined
  if (value('cpu.flags.clmul') !== 'yes' || value('cpu.effective.clmul') !== 'no') return undefined
  // The other variables are those of other architectures.
  return items
    .flatMap(({ name }) => /^env\.(OPENSSL_(\w+cap))$/.exec(name)?.slice(1, 3).join(' ') ?? [])
    .map((names) => names.split(' ') as [string, string])
    .find(([, short]) => items.some(({ name }) => name.startsWith(`openssl.mask.${short}`)))?.[0]
}

const USUAL_CAUSE =
  'the usual cause is a hypervisor CPU model such as x86-64-v2-AES; host passthrough (cpu: host) is the cure'

/** Why AES comes without the multiply: a mask that is set here, else what usually hides it, told of each end. */
export function causeOf({ evidence, options: { readers } }: Pick<Facts, 'evidence' | 'options'>): string {
  const mask = maskHere(evidence)
  const there =
    typeof readers === 'object' &&
    readers.filter(({ aes, clmul }) => aes === 'yes' && (clmul === 'no' || clmul === 'partial'))
  if (mask === undefined) return USUAL_CAUSE
  const here = `${mask} hides the multiply that this CPU has: unset it`
  return there === false || there.length === 0
    ? here
    : `here ${here}; on ${there.map(({ name }) => name).join(', ')} ${USUAL_CAUSE}`
}

/** Block 5: hardware and life span. The rows stand in the order in which they are asked. */
export const HARDWARE: readonly RuleRow[] = [
  {
    // The confidentiality bound of GCM is about 2^40 bytes at 2^-57; ChaCha20-Poly1305 has none.
    id: 'V20',
    prefer: (facts, field) => {
      if (!isKnown(facts) || facts.ends.class !== 'hardware' || facts.options.rekey === 'possible')
        return undefined
      if (!GCM.some((id) => field.exceeded(id))) return undefined
      return family(
        facts,
        'hardware-aes',
        [
          `the volume passes what AES-GCM may carry under one key at 2^${facts.options.target}, and no rekeying is possible`,
        ],
        'its limit is passed, or ChaCha20-Poly1305 comes first once the AES-GCM limit is passed',
      )
    },
  },
  {
    // Call cost and set-up decide small messages; only a clear measured lead changes the choice.
    id: 'V21',
    prefer: (facts, field) => {
      if (!isKnown(facts) || facts.ends.class !== 'hardware' || !minds(facts)) return undefined
      const measured = chachaRatio(facts, field)
      if (measured === undefined || measured.ratio < FASTER_BY) return undefined
      return family(
        facts,
        'hardware-aes',
        [
          `the profile is ${facts.options.profile} and ChaCha20-Poly1305 measures ${measured.ratio.toFixed(2)} times faster (${measured.text})`,
        ],
        `on instructions it measures slower than ChaCha20-Poly1305 at ${lengthsText(facts)}`,
      )
    },
  },
  {
    // Both halves in hardware at every end: fastest, and constant time by instruction.
    id: 'V18',
    prefer: (facts, field) => {
      if (!isKnown(facts) || facts.ends.class !== 'hardware') return undefined
      const reasons = [`every end has AES and carry-less multiply (${facts.ends.why})`]
      if (facts.options.keyBits === 256) reasons.push('keyBits asks for 256 bits')
      if (minds(facts)) {
        const measured = chachaRatio(facts, field)
        reasons.push(
          measured === undefined
            ? `V21: ChaCha20-Poly1305 and native AES-GCM were not both measured at ${lengthsText(facts)}, so the profile changes nothing`
            : `V21: ChaCha20-Poly1305 measures ${measured.ratio.toFixed(2)} times as fast, below the ${FASTER_BY} that would change the choice (${measured.text})`,
        )
      }
      const nonces = facts.limits.nonce === 'random' ? chachaFamily(facts) : undefined
      return {
        algorithms: GCM,
        class: 'hardware-aes',
        reasons: [...reasons, ...(nonces?.reasons ?? [])],
        also: [...(minds(facts) ? (['V21'] as const) : []), ...(nonces?.rules ?? [])],
        against: 'AES-128-GCM comes first where every end has AES and carry-less multiply',
      }
    },
  },
  {
    // Table GHASH is slow and leaks; virtual machine models are the usual cause of AES without the multiply.
    id: 'V22',
    prefer: (facts) => {
      if (!isKnown(facts) || facts.ends.class !== 'partial') return undefined
      return family(
        facts,
        'no-hardware-aes',
        [`AES without carry-less multiply is no hardware for AES-GCM (${facts.ends.why})`, causeOf(facts)],
        'without carry-less multiply its authenticator falls to tables: slow and leaking',
      )
    },
  },
  {
    // Without the instructions OpenSSL's GHASH reads tables by secret index.
    id: 'V19',
    prefer: (facts) => {
      if (!isKnown(facts) || facts.ends.class !== 'none') return undefined
      return family(
        facts,
        'no-hardware-aes',
        [`AES-GCM has no hardware at some end (${facts.ends.why})`],
        'without AES and carry-less multiply at every end it is slow, and its tables leak',
      )
    },
  },
  {
    // Three reasons, none of them speed: constant time everywhere, limit out of reach, a repeat costs one nonce.
    id: 'V17',
    prefer: (facts) => {
      if (isKnown(facts)) return undefined
      const why = facts.frozen ? 'the choice cannot be taken back' : 'not every reader is known'
      return family(
        facts,
        'portable',
        [
          `${why} (${facts.ends.why}): ChaCha20-Poly1305 is constant time on any CPU, its limit is out of reach, and a repeated nonce costs that nonce only`,
        ],
        facts.frozen
          ? 'what cannot be changed later must not depend on the hardware of a reader'
          : 'it needs instructions that not every reader is known to have, or another comes first',
      )
    },
  },
]
