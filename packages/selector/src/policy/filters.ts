import type { AlgorithmId, AlgorithmParams } from '@aeadkit/core'
import { caseOf, isRegulated } from './family.ts'
import type { Assessed, RuleRow } from './rule.ts'

/** Key strength in bits: an SIV key is two keys. */
export function strengthBits(params: AlgorithmParams): number {
  return params.bound === 'siv' ? params.keyBytes * 4 : params.keyBytes * 8
}

function isNativeOrNoAes({ params, permitted }: Assessed): boolean {
  return params.cpu.cipher === 'none' || permitted.some(({ kind }) => kind === 'native')
}

/** What remains worth naming when no backend has what the rules name first. */
const LAST: readonly AlgorithmId[] = ['chacha20-poly1305', 'xchacha20-poly1305', 'aes-128-gcm', 'aes-256-gcm']

/** Conditions of the caller and the machine. Those on backends are in admission.ts, in the order they narrow. */
export const FILTERS: readonly RuleRow[] = [
  {
    // Permission, both ends and a way back: do not put AEGIS in a protocol that cannot be left.
    id: 'aegis-opt-in',
    reject: ({ params }, facts) => {
      // Excluded by every list: no permission changes that.
      if (params.bound !== 'aegis' || isRegulated(facts)) return undefined
      if (!facts.options.optIn.aegis) return 'AEGIS is returned only with optIn.aegis'
      if (facts.frozen) return 'AEGIS needs a lifetime that can be renegotiated'
      if (facts.ends.class === 'unknown' || !facts.ends.aesEngine) {
        return `AEGIS needs AES hardware known at every end (${facts.ends.why})`
      }
      return undefined
    },
  },
  {
    // Long-term secrets and outside mandates are the reasons to ask; speed is the price.
    id: 'key-bits',
    reject: ({ params }, { options }) =>
      options.keyBits !== undefined && strengthBits(params) < options.keyBits
        ? `its key has ${strengthBits(params)} bits of strength; keyBits asks for ${options.keyBits}`
        : undefined,
  },
  {
    // A synthetic IV depends on the last byte of the message, and CCM on its length.
    id: 'whole-message',
    reject: ({ params }, { options }) =>
      !options.wholeMessage && params.wholeMessage
        ? 'it needs the whole message before its first output byte; wholeMessage is false'
        : undefined,
  },
  {
    // The longest message is a property of the algorithm; backends are asked apart.
    id: 'message-size',
    reject: ({ params }, { options }) => {
      const { aadBytes, messageBytes } = options.volume
      if (options.wholeMessage && messageBytes > params.maxPlaintextBytes) {
        return `messages of ${messageBytes} B are longer than the ${params.maxPlaintextBytes} B it takes`
      }
      return aadBytes > params.maxAadBytes
        ? `AAD of ${aadBytes} B is longer than the ${params.maxAadBytes} B it takes`
        : undefined
    },
  },
  {
    // Only a bound that is exceeded drops a candidate; one that is merely not shown becomes a duty.
    id: 'limits',
    reject: (candidate, facts) => {
      const { limits, params } = candidate
      const { volume, wholeMessage } = facts.options
      // A message that is too long has a filter of its own; no limit on counts makes it shorter.
      const told = wholeMessage && volume.messageBytes > params.maxPlaintextBytes
      const violations = candidate.violations.filter(
        ({ limit, max }) => !(told && limit.unit === 'bytes' && max === params.maxPlaintextBytes),
      )
      if (violations.length === 0) return undefined
      if (facts.options.rekey === 'possible') {
        // The volume is then split over keys; only a key that could not carry one message is out.
        const carries = limits.messages === null || limits.messages > 0n
        const reads = limits.failedOpens === null || limits.failedOpens > 0n
        if (carries && reads) return undefined
        return `one key cannot carry a single message of ${facts.options.volume.messageBytes} B at 2^${facts.options.target} (nonces at 2^${facts.options.nonceTarget})`
      }
      // Random draws have rules of their own: V15, under FIPS V2a.
      const drawn = facts.limits.nonce === 'random'
      const others = violations.filter(({ limit }) => !(drawn && limit.kind === 'nonce-collision'))
      return others.length === 0
        ? undefined
        : others.map(({ message }) => message.replace(`${candidate.params.id}: `, '')).join('; ')
    },
  },
  {
    // Not a preference but better than an error: the rule's choice is missing, and what remains passes every filter.
    id: 'availability',
    prefer: (facts, field) => {
      if (isRegulated(facts)) return undefined
      const algorithms = LAST.filter((id) => {
        const survivor = field.survivor(id)
        return survivor !== undefined && isNativeOrNoAes(survivor)
      })
      return {
        algorithms,
        class: caseOf(facts),
        reasons: [
          'no permitted backend has what the rules name first, or a filter drops it (see what was rejected); this is what remains after every filter',
        ],
      }
    },
  },
]
