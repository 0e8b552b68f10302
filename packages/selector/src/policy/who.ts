import type { Facts } from './facts.ts'
import { caseOf, chachaFamily, gcmInScript, isRegulated } from './family.ts'
import { isShared } from './regulation.ts'
import type { RuleRow } from './rule.ts'

const CCM = ['aes-128-ccm', 'aes-256-ccm'] as const
const SMALL: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'aes-128-ccm',
  'aes-256-ccm',
  'ascon-aead128',
  'chacha20-poly1305',
  'xchacha20-poly1305',
])

/** Whether the rules on nonces leave the choice to the hardware, and every end has it. */
function isForV18({ ends, frozen, limits, regime, suffices96 }: Facts): boolean {
  const nonces = limits.nonce !== 'random' || (regime === 'random' && suffices96)
  return nonces && !frozen && ends.class === 'hardware'
}

/** What tells of AES rounds alone; timings of AES-GCM tell of the multiply too, which CCM does without. */
function engineText({ evidence, options: { readers } }: Facts): string {
  const here = evidence.aes === 'yes' ? 'AES yes' : 'AES-GCM runs on instructions'
  const there = typeof readers === 'object' ? readers : []
  return [`here: ${here}`, ...there.map(({ aes, name }) => `${name}: AES ${aes}`)].join('; ')
}

/** Block 3: who computes. V11 stands first because the caller states it; V10 follows from the backends. */
export const WHO: readonly RuleRow[] = [
  {
    // One primitive saves code and area. On a server Ascon gains nothing over what is there already.
    id: 'V11',
    reject: ({ params }, facts) => {
      if (!facts.options.constrained) {
        const listed = !(facts.gost || facts.cnsa || (facts.fips && isShared(facts)))
        return params.id === 'ascon-aead128' && listed
          ? 'Ascon-AEAD128 is for constrained devices: constrained would have to be true'
          : undefined
      }
      if (isRegulated(facts) || SMALL.has(params.id)) return undefined
      return 'on a constrained device only AES-CCM, Ascon-AEAD128 and ChaCha20-Poly1305 pay for their code'
    },
    prefer: (facts, field) => {
      if (!facts.options.constrained || isRegulated(facts)) return undefined
      const members = chachaFamily(facts)
      const native = CCM.filter((id) => field.survivor(id)?.permitted.some(({ kind }) => kind === 'native'))
      const engine = facts.ends.aesEngine && native.length > 0
      return {
        algorithms: [...(engine ? native : []), 'ascon-aead128', ...members.algorithms],
        class: 'constrained',
        reasons: [
          engine
            ? `the device is constrained and every end has an AES engine (${engineText(facts)}), so AES-CCM needs no second primitive`
            : 'the device is constrained and no AES engine is known: Ascon-AEAD128 if a backend has it and its limits are shown at the target, else ChaCha20-Poly1305',
          ...members.reasons,
        ],
        also: members.rules,
        against: 'another comes first on a constrained device',
      }
    },
  },
  {
    // Script cannot reach AES instructions: software AES is slow, or leaks, or both.
    id: 'V10',
    prefer: (facts, field) => {
      if (isRegulated(facts)) return undefined
      const native = facts.execution === 'native'
      // Where V18 would name an AES-GCM that no native library may compute, only what has no instructions could.
      const script = native && isForV18(facts) ? gcmInScript(facts, field) : undefined
      if (native && script === undefined) return undefined
      const members = chachaFamily(facts)
      return {
        algorithms: members.algorithms,
        class: caseOf(facts),
        reasons: [
          native
            ? `${script}: only WebAssembly or script could compute it, out of reach of AES instructions`
            : `the backends compute in ${facts.execution === 'wasm' ? 'WebAssembly' : 'plain JavaScript'}, out of reach of AES instructions`,
          ...members.reasons,
        ],
        also: members.rules,
        against: 'AES in script is slow, or leaks through tables, or both; or another comes first in script',
      }
    },
  },
]
