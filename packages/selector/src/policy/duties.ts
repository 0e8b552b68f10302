import type { AlgorithmParams, Limit } from '@aeadkit/core'
import { checkVolume, isMisuseResistant } from '@aeadkit/core'
import type { Facts } from './facts.ts'
import { countText } from './family.ts'
import { strengthBits } from './filters.ts'
import { causeOf } from './hardware.ts'
import { perKeyOf } from './per-key.ts'
import type { Assessed } from './rule.ts'

/** What whoever uses the selection must see to. Printed as `id: text`. */
export interface Duty {
  readonly id: string
  readonly text: string
}

type DutyRow = readonly [id: string, text: (chosen: Assessed, facts: Facts) => string | undefined | false]

function usesAes(params: AlgorithmParams): boolean {
  return params.cpu.cipher === 'aes'
}

/** Whether some end is known to lack what the algorithm wants: GCM needs both halves, CCM and SIV the AES half alone. */
function lacksHardware(params: AlgorithmParams, { ends, evidence }: Facts): boolean {
  if (!usesAes(params)) return false
  if (params.cpu.authenticator === 'clmul') {
    return ends.class === 'none' || ends.class === 'partial' || evidence.hardwareClass === 'none'
  }
  return evidence.aes === 'no' || (ends.class === 'none' && !ends.aesEngine)
}

/** The tightest limit of the binding kind. */
function bindingLimit({ limits }: Assessed): Limit | undefined {
  return limits.limits
    .filter(({ kind, max, unit }) => kind === limits.bindingBound && max !== null && unit !== 'failed-opens')
    .reduce<Limit | undefined>(
      (least, one) => (least === undefined || one.max! < least.max! ? one : least),
      undefined,
    )
}

const BOUND_NAMES: Readonly<Record<string, string>> = {
  confidentiality: 'confidentiality',
  integrity: 'integrity',
  'nonce-collision': 'nonce collision',
  published: "the document's own count",
}

/** When to stop opening. Where one message leaves less for failures, both draw on one budget (AES-CCM, Ascon). */
function opensText({ limits, params }: Assessed, { limits: options, options: { volume } }: Facts): string {
  const { failedOpens } = limits
  if (failedOpens === null) return ''
  const beside = checkVolume(params, { ...volume, messages: 1n, failedOpens }, options)
  return beside.length === 0
    ? `; stop opening with a key after ${countText(failedOpens)} failures`
    : `; messages and failed openings count together: at most ${countText(failedOpens)} of both under one key`
}

function rekeyText(chosen: Assessed, facts: Facts): string {
  const { options } = facts
  const { bindingBound, messages } = chosen.limits
  const opens = opensText(chosen, facts)
  if (messages === null || bindingBound === 'none') {
    return `no limit on messages from the mode, only the width of the nonce counter${opens}`
  }
  const name = BOUND_NAMES[bindingBound]
  const exponent = bindingBound === 'nonce-collision' ? options.nonceTarget : options.target
  const provenAt = bindingLimit(chosen)?.provenAt
  const at = provenAt === null ? 'no advantage stated' : `at 2^${provenAt ?? exponent}`
  return `at most ${countText(messages)} messages of ${options.volume.messageBytes} B under one key (binding: ${name}, ${at})${opens}`
}

function notShown({ limits }: Assessed, { options }: Facts): string | false {
  if (limits.targetShown) return false
  const weak = limits.limits.filter(({ meetsTarget }) => !meetsTarget)
  const stated = weak.map(({ basis, kind, provenAt }) =>
    basis === 'estimate'
      ? `${kind}: an estimate`
      : `${kind}: ${provenAt === null ? 'no advantage stated' : `holds at 2^${provenAt}`}`,
  )
  const why = stated.length === 0 ? 'no document states a bound' : [...new Set(stated)].join(', ')
  return `the limits of this algorithm are not shown at 2^${options.target} (${why})`
}

function commitmentText({ params }: Assessed, { options }: Facts): string | false {
  if (options.commitment === 'none') return false
  const scope = options.commitment === 'key' ? 'key' : 'key and AAD'
  if (params.bound === 'aegis') {
    return `full 32-byte tags commit to the key while nobody hostile chooses the AAD: hash the AAD first (commitment to ${scope} asked)`
  }
  if (params.bound === 'ascon') {
    return `Ascon commits to about 64 bits only: wrap it with a commitment derived from the key (commitment to ${scope} asked)`
  }
  return `${params.id} does not commit to its key: wrap it with a commitment derived from the key, compared before opening (commitment to ${scope} asked)`
}

function ivSource(_: Assessed, facts: Facts): string | false {
  if (facts.options.fips === 'off') return false
  const how =
    facts.limits.nonce === 'random'
      ? 'drawn from the random generator outside the cipher call (SP 800-38D §8.2.2)'
      : 'built as fixed field and invocation field (SP 800-38D §8.2.1)'
  return `external: the IV is ${how}; check that the security policy of your module allows it`
}

/** Block 6 of the verdict tables and the duties of the rules, in the order in which they are printed. */
const DUTIES: readonly DutyRow[] = [
  [
    'constant-time-not-met',
    ({ constantTimeMet, permitted }) =>
      !constantTimeMet &&
      `no backend here has a constant-time claim for it (${permitted.map(({ claims, name }) => `${name}: ${claims.constantTime.level}`).join(', ')})`,
  ],
  ['target-not-shown', notShown],
  ['rekey', rekeyText],
  [
    'split-keys',
    ({ limits, params, violations }, facts) => {
      if (violations.length === 0) return false
      const { volume } = facts.options
      const { failedOpens, messages } = perKeyOf(params, limits, volume, facts.limits)
      const after = [
        ...(messages !== null && volume.messages > messages ? [`${countText(messages)} messages`] : []),
        ...(volume.failedOpens > failedOpens ? [`${countText(failedOpens)} failed openings`] : []),
      ]
      const asked =
        messages !== null && volume.messages > messages
          ? `${countText(volume.messages)} messages`
          : `${countText(volume.failedOpens)} failed openings`
      return `${asked} need several keys: change the key after ${after.join(' or ')}`
    },
  ],
  [
    'key-size',
    ({ params }) =>
      usesAes(params) &&
      (strengthBits(params) === 256
        ? '256-bit AES keys are for an outside requirement or this algorithm only; they cost about a quarter of the throughput'
        : '128-bit AES keys suffice; take 256 bits only under an outside requirement'),
  ],
  [
    'full-tags',
    ({ params }) =>
      `keep full tags of ${params.tagBytes} bytes and nonces of ${params.nonceBytes} bytes; no other lengths in new designs`,
  ],
  ['commitment', commitmentText],
  [
    'stream-chunks',
    (_, { options }) =>
      !options.wholeMessage &&
      'encrypt in chunks with a counter and a final flag, and never release a chunk before its tag is checked',
  ],
  ['ivSource', ivSource],
  [
    'module-certificate',
    (_, { evidence, options }) =>
      options.fips === 'module' &&
      (evidence.fips.certificate === null
        ? 'the enforcing state is an observation; name the certificate of your module and compare its version'
        : `certificate as stated by the operator: ${evidence.fips.certificate}; compare it with the module that runs`),
  ],
  [
    'no-module',
    (_, { options }) =>
      options.fips === 'approved-algorithms' &&
      'only the algorithm is on the list: no FIPS module is involved',
  ],
  [
    'composition',
    ({ params }, { fips }) =>
      fips &&
      params.fips === 'composition' &&
      'XAES-256-GCM is composed of approved functions and no certificate names it: ask your laboratory',
  ],
  [
    'certificate-lists-ascon',
    ({ params }, { fips }) =>
      fips &&
      params.bound === 'ascon' &&
      'Ascon is on the list since 2 September 2025: check that the certificate of your module names it',
  ],
  [
    'slow-here',
    ({ params }, facts) =>
      lacksHardware(params, facts) &&
      `${params.id} lacks its instructions at some end: expect it to be several times slower, and constant time only as far as the library says`,
  ],
  [
    'reserve-ahead',
    (_, { fips, regime }) =>
      (regime === 'counter' || regime === 'leased' || (fips && regime === 'many-writers')) &&
      'V16: where the counter is kept in storage, reserve values ahead and never reuse one after a crash or a restored backup',
  ],
  [
    'fixed-field',
    (_, { fips, regime }) =>
      fips &&
      regime === 'many-writers' &&
      'V2b: give every writer a fixed field of its own and never two the same under one key',
  ],
  [
    'lease-per-seal',
    (_, { options }) =>
      options.nonce === 'snapshot-risk' &&
      options.lease === 'per-seal' &&
      'take one lease from outside this machine for every seal, and change the key when a snapshot is restored',
  ],
  [
    'no-cloned-generator',
    (_, { fips, regime }) =>
      !fips &&
      regime === 'many-writers' &&
      'V13: a cloned machine clones its random generator: re-seed at resume, or give each instance its own key',
  ],
  [
    'duplicates-visible',
    ({ params }, { options }) =>
      isMisuseResistant(params) &&
      options.nonce !== 'counter' &&
      'after a repeated nonce an observer sees whether two messages are equal',
  ],
  [
    'expired-draft',
    ({ params }) =>
      params.id === 'xchacha20-poly1305' &&
      'XChaCha20-Poly1305 is specified by an expired draft (draft-irtf-cfrg-xchacha-03, January 2020); its parts are RFC 8439',
  ],
  [
    'community-specification',
    ({ params }, { fips }) =>
      !fips && params.bound === 'xaes' && 'XAES-256-GCM is a community specification (C2SP), not a standard',
  ],
  [
    'informational',
    ({ params }) =>
      params.bound === 'aegis' && 'AEGIS is an Informational RFC (10032): keep a way to change the algorithm',
  ],
  [
    'peers-speak-ascon',
    ({ params }) =>
      params.bound === 'ascon' &&
      'every peer must speak Ascon-AEAD128 of SP 800-232, which is not the Ascon-128a of older libraries',
  ],
  [
    'certified-implementation',
    (_, { gost }) =>
      gost && 'GOST duties need a certified means of protection; a TypeScript library cannot be one',
  ],
  [
    'check-virtual-machine',
    (_, facts) => facts.ends.class === 'partial' && `AES without carry-less multiply: ${causeOf(facts)}`,
  ],
]

/** Everything to see to with the chosen algorithm. */
export function dutiesOf(chosen: Assessed, facts: Facts): readonly Duty[] {
  const duties: Duty[] = []
  for (const [id, text] of DUTIES) {
    const line = text(chosen, facts)
    if (line !== undefined && line !== false) duties.push({ id, text: line })
  }
  return duties
}
