import type { AlgorithmId } from '@aeadkit/core'
import type { Facts } from './facts.ts'
import { countText } from './family.ts'
import type { Assessed, RuleRow, VerdictRuleId } from './rule.ts'

const GCM = ['aes-128-gcm', 'aes-256-gcm'] as const
const CCM = ['aes-128-ccm', 'aes-256-ccm'] as const

/** Random nonces past the count FIPS allows under one key. */
function beyondFipsCount(candidate: Assessed, facts: Facts): boolean {
  if (!facts.fips || facts.limits.nonce !== 'random') return false
  return candidate.violations.some(
    ({ limit }) =>
      limit.kind === 'nonce-collision' || (limit.kind === 'published' && limit.unit === 'messages'),
  )
}

/** Many writers and clones share a key: nonces come from the deterministic construction. */
export function isShared(facts: Facts): boolean {
  return facts.regime === 'many-writers' || facts.options.nonce === 'snapshot-risk'
}

/** AES-GCM with the key size that the lists and demands together want. */
export function approvedGcm({ cnsa, options }: Facts): AlgorithmId {
  return cnsa || options.keyBits === 256 ? 'aes-256-gcm' : 'aes-128-gcm'
}

/** Whether XAES-256-GCM would be left once the composition is accepted. */
function canCompose(facts: Facts): boolean {
  return !facts.cnsa && !isShared(facts) && !facts.options.optIn.approvedComposition
}

function fipsOrder(facts: Facts): readonly AlgorithmId[] {
  const { constrained, optIn } = facts.options
  if (isShared(facts)) return GCM
  const composed = optIn.approvedComposition ? (['xaes-256-gcm'] as const) : []
  return constrained ? [...CCM, ...GCM, 'ascon-aead128', ...composed] : [...GCM, ...composed]
}

/** Block 1: what is decided outside the technology. */
export const REGULATION: readonly RuleRow[] = [
  {
    // The lists share no algorithm: FIPS 140-3 has AES and Ascon, GOST has Kuznyechik and Magma.
    id: 'V1',
    conflict: (facts) =>
      facts.fips && facts.gost
        ? {
            rules: ['V1'],
            message:
              'FIPS 140-3 and GOST share no algorithm, so one format cannot meet both: make two profiles and label the data',
            profiles: [
              { for: 'fips140-3', algorithm: approvedGcm(facts) },
              { for: 'gost', algorithm: 'kuznyechik-mgm' },
            ],
          }
        : undefined,
  },
  {
    // The list is procedural: what has no NIST standard is not on it, however good. 128-bit keys are on it.
    id: 'V2',
    reject: ({ params }, facts) => {
      if (!facts.fips || params.fips === 'approved') return undefined
      if (params.fips === 'not-approved') return `excluded: FIPS 140-3 does not list ${params.id}`
      if (facts.options.optIn.approvedComposition) return undefined
      return `excluded: FIPS 140-3 lists the parts of ${params.id}, not the whole${canCompose(facts) ? '; optIn.approvedComposition accepts that' : ''}`
    },
    prefer: (facts, field) => {
      if (!facts.fips) return undefined
      const also: VerdictRuleId[] = []
      const reasons = ['FIPS 140-3 binds, and AES-GCM is its general-purpose mode; 128-bit keys are approved']
      if (facts.options.constrained && !isShared(facts)) {
        also.push('V11')
        reasons.push('V11: on a constrained device AES-CCM needs one primitive where GCM needs two')
      }
      if (facts.cnsa) {
        also.push('V4')
        reasons.push('V4: CNSA asks for 256-bit keys')
      } else if (facts.options.keyBits === 256) reasons.push('keyBits asks for 256 bits')
      if (isShared(facts)) {
        also.push('V2b')
        reasons.push(
          'V2b: no misuse-resistant mode is approved, so every writer gets its own fixed field and counts (SP 800-38D §8.2.1)',
        )
      }
      const gcm = field.survivor('aes-128-gcm') ?? field.survivor('aes-256-gcm')
      if (gcm === undefined ? field.survivor('xaes-256-gcm') !== undefined : beyondFipsCount(gcm, facts)) {
        also.push('V2a')
        reasons.push(
          gcm === undefined
            ? `V2a: ${countText(facts.options.volume.messages)} random nonces are past the 2^32 of SP 800-38D §8.3, and the composition was accepted`
            : `V2a: ${countText(facts.options.volume.messages)} messages take several keys, at most 2^32 random nonces each (SP 800-38D §8.3)`,
        )
      }
      return {
        algorithms: fipsOrder(facts),
        class: 'fips',
        reasons,
        also,
        against: 'FIPS 140-3 lists it, but AES-GCM with the key size asked for comes first',
        regardless: 'all',
      }
    },
  },
  {
    // 2^32 is the count of SP 800-38D §8.3 for all holders of the key together.
    id: 'V2a',
    reject: (candidate, facts) => {
      // A snapshot is refused by V2b, whatever the count.
      if (facts.options.rekey === 'possible' || facts.regime === 'snapshot-risk') return undefined
      if (!beyondFipsCount(candidate, facts)) return undefined
      const asked = countText(facts.options.volume.messages)
      // `most96` has the cap in it; the formula may allow more than that, or less.
      const formula = candidate.limits.limits.find(
        ({ basis, kind }) => kind === 'nonce-collision' && basis === 'formula',
      )
      const drawn = countText(formula?.max ?? facts.most96)
      return `${asked} messages with random ${candidate.params.randomNonceBits}-bit nonces pass what one key may carry (2^32 by SP 800-38D §8.3, ${drawn} by the birthday bound at nonceTarget 2^${facts.options.nonceTarget}): use rekey 'possible' to split keys${canCompose(facts) ? ", nonce 'counter', or optIn.approvedComposition for XAES-256-GCM" : ", or nonce 'counter'"}`
    },
  },
  {
    // A generator cloned with its machine repeats its bits; only a fixed field per writer keeps nonces apart.
    id: 'V2b',
    reject: ({ params }, facts) => {
      if (!facts.fips || !isShared(facts)) return undefined
      if (facts.regime === 'snapshot-risk') {
        return "a restored snapshot repeats nonces and no misuse-resistant mode is approved: give one external lease per seal (lease: 'per-seal')"
      }
      return params.bound === 'gcm'
        ? undefined
        : 'writers that share a key use AES-GCM with a fixed field each'
    },
  },
  {
    // A 64-bit block allows 16 blocks at 2^-57: Magma cannot carry data under one key.
    id: 'V3',
    conflict: (facts) =>
      facts.gost && facts.cnsa
        ? {
            rules: ['V3', 'V4'],
            message: 'GOST and CNSA share no algorithm, so one format cannot meet both: make two profiles',
            profiles: [
              { for: 'gost', algorithm: 'kuznyechik-mgm' },
              { for: 'cnsa', algorithm: 'aes-256-gcm' },
            ],
          }
        : undefined,
    reject: ({ params }, facts) => {
      if (!facts.gost || params.id === 'kuznyechik-mgm') return undefined
      if (params.id !== 'magma-mgm') return `excluded: GOST does not list ${params.id}`
      if (facts.options.constrained) return undefined
      return 'Magma has 64-bit blocks: only for tiny constrained links, never for bulk data'
    },
    prefer: (facts) =>
      facts.gost
        ? {
            algorithms: ['kuznyechik-mgm', 'magma-mgm'],
            class: 'gost',
            reasons: ['GOST binds, and Kuznyechik-MGM is its AEAD with 128-bit blocks'],
            against: 'Kuznyechik-MGM comes first: its blocks are twice as long',
            regardless: 'all',
          }
        : undefined,
  },
  {
    // The suite fixes the key size; AES-256-GCM is its AEAD.
    id: 'V4',
    reject: ({ params }, facts) =>
      facts.cnsa && params.id !== 'aes-256-gcm'
        ? `excluded: CNSA asks for AES-256-GCM, not ${params.id}`
        : undefined,
    prefer: (facts) =>
      facts.cnsa
        ? {
            algorithms: ['aes-256-gcm'],
            class: 'cnsa',
            reasons: ['CNSA binds and names AES with 256-bit keys'],
            regardless: 'all',
          }
        : undefined,
  },
]
