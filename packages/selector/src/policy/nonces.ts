import { isMisuseResistant } from '@aeadkit/core'
import type { Facts } from './facts.ts'
import { caseOf, countText, isRegulated, wideNonceTie } from './family.ts'
import type { RuleRow, VerdictRuleId } from './rule.ts'

function repeatsThreaten(facts: Facts): boolean {
  return !facts.fips && (facts.regime === 'many-writers' || facts.regime === 'snapshot-risk')
}

/** Rules that would have named the family anyway, for the record. */
function alsoPortable(facts: Facts): readonly VerdictRuleId[] {
  return facts.frozen || facts.ends.class === 'unknown' ? ['V17'] : []
}

/** Block 4: nonces come before speed, because this axis does not depend on hardware. */
export const NONCES: readonly RuleRow[] = [
  {
    // A repeat must cost no more than equality; that needs whole messages, AES and CLMUL to be quick and safe.
    id: 'V12',
    reject: ({ params }, facts) => {
      // No list from outside has such a mode: those that exclude it say so.
      if (!repeatsThreaten(facts) || isRegulated(facts) || !isMisuseResistant(params)) return undefined
      const shown =
        !facts.options.duplicatesVisible &&
        'a repeated nonce shows that two messages are equal: duplicatesVisible would have to be true'
      const enough =
        params.cpu.authenticator === 'clmul' ? facts.ends.class === 'hardware' : facts.ends.aesEngine
      const lacking = !enough && `not every end is known to have its instructions (${facts.ends.why})`
      return [shown, lacking].filter((reason) => reason !== false).join('; ') || undefined
    },
    prefer: (facts, field) => {
      if (!repeatsThreaten(facts) || isRegulated(facts)) return undefined
      const snapshot = facts.regime === 'snapshot-risk'
      // A leaking implementation is none, unless nothing else would survive a snapshot.
      const gcmSiv = (['aes-256-gcm-siv', 'aes-128-gcm-siv'] as const).filter(
        (id) => snapshot || field.survivor(id)?.constantTimeMet === true,
      )
      const siv = snapshot ? (['aes-siv-cmac-512', 'aes-siv-cmac-256'] as const) : []
      return {
        algorithms: [...gcmSiv, ...siv],
        class: 'misuse-resistant',
        reasons: [
          snapshot
            ? 'a restored snapshot repeats nonces; here a repeat shows only that two messages are equal'
            : 'many writers may repeat a nonce; here a repeat shows only that two messages are equal',
        ],
        against: 'a misuse-resistant mode comes first where nonces may repeat',
        regardless: 'target',
      }
    },
  },
  {
    // 192 random bits stay unique without coordination; a cloned generator repeats them, so a snapshot is refused.
    id: 'V13',
    reject: ({ params }, facts) => {
      if (!repeatsThreaten(facts) || isMisuseResistant(params)) return undefined
      if (facts.regime === 'snapshot-risk') {
        return `a snapshot clones the generator, so random bits repeat too: ${isRegulated(facts) ? 'give' : 'use a misuse-resistant mode, or'} one external lease per seal (lease: 'per-seal')`
      }
      if (params.randomNonceBits > 96) return undefined
      return `${params.randomNonceBits} random bits are too few for writers that do not know of each other`
    },
    prefer: (facts, field) => {
      if (facts.fips || facts.regime !== 'many-writers') return undefined
      const tie = wideNonceTie(facts, field)
      return {
        algorithms: tie.algorithms,
        class: caseOf(facts),
        reasons: [
          'writers that do not know of each other draw 192 random bits each; their generators must not be cloned',
          ...tie.reasons,
        ],
        against: '192 random bits come first for many writers',
        also: alsoPortable(facts),
      }
    },
  },
  {
    // Shapes the ChaCha20-Poly1305 family (family.ts): 12 bytes acceptable, 24 preferred for frozen formats.
    id: 'V14',
  },
  {
    // Only messages past the bound: more random bits cost nothing where the format is still open.
    id: 'V15',
    reject: (candidate, facts) => {
      if (facts.fips || facts.limits.nonce !== 'random' || facts.options.rekey === 'possible')
        return undefined
      const { params, violations } = candidate
      if (!violations.some(({ limit }) => limit.kind === 'nonce-collision')) return undefined
      const { nonceTarget, volume } = facts.options
      const most = candidate.limits.limits.find((limit) => limit.kind === 'nonce-collision')?.max ?? 0n
      const documents = params.randomNonceBits === 96 ? ', and 2^32 at 2^-33 by SP 800-38D' : ''
      const cloned = facts.regime === 'snapshot-risk'
      const cure =
        params.randomNonceBits < 192 && !isRegulated(facts) && !cloned
          ? 'take an algorithm with a 24-byte nonce'
          : `change the key earlier (rekey 'possible')${cloned ? '' : ", or count the nonces (nonce 'counter')"}`
      return `${params.randomNonceBits} random bits allow ${countText(most)} messages at 2^${nonceTarget}${documents}; ${countText(volume.messages)} are asked: ${cure}`
    },
    prefer: (facts, field) => {
      if (isRegulated(facts) || facts.regime !== 'random' || facts.suffices96) return undefined
      const tie = wideNonceTie(facts, field)
      const aegis = facts.options.optIn.aegis ? (['aegis-256'] as const) : []
      const { nonceTarget, volume } = facts.options
      return {
        algorithms: [...aegis, ...tie.algorithms],
        class: caseOf(facts),
        reasons: [
          `96 random bits allow ${countText(facts.most96)} messages at 2^${nonceTarget} (2^32 at 2^-33); ${countText(volume.messages)} are asked, so the nonce has 24 random bytes`,
          ...tie.reasons,
        ],
        against: 'its nonce is too short for that many random draws, or another with a long one comes first',
        also: alsoPortable(facts),
      }
    },
  },
  {
    // Allowed, with the duty to reserve ahead (duties.ts): a counter resumed from stale state repeats.
    id: 'V16',
  },
]
