import type {
  Aead,
  AlgorithmId,
  AlgorithmLimits,
  AlgorithmParams,
  Backend,
  BytesInput,
  Evidence,
  KeyRecord,
  Limit,
  Meter,
  NonceOption,
  Sealer,
  SyncAead,
} from '@aeadkit/core'
import { AeadError, createAead, createMeter, createSealer, generateKey, readOptions } from '@aeadkit/core'
import type { ProtocolContext, ResolvedOptions } from './options.ts'
import type { Advice } from './policy/advice.ts'
import { limitOptionsOf } from './policy/facts.ts'
import type { Rejection, RuleId, VerdictClass } from './policy/rule.ts'
import { type SelectionJson, selectionJson } from './selection-json.ts'

/** Day the facts behind the rules were last checked. */
export const FACTS_AS_OF = '2026-11-30'

/** What the rules decided, and why. */
export interface Verdict {
  readonly class: VerdictClass
  /** Rules that decided, the deciding one first. Empty when the caller named the algorithm and no list binds. */
  readonly rules: readonly RuleId[]
  readonly reasons: readonly string[]
  /** Day the rules' facts were last checked, `YYYY-MM-DD`. */
  readonly asOf: string
  /** Every other algorithm, with each filter that dropped it or the rule that named another first. */
  readonly rejected: readonly Rejection[]
  /** Orders and settings, for contexts where the protocol chooses. */
  readonly advice?: Advice
}

/** One backend for all sizes, or two by message length. */
export type BackendChoice =
  | string
  | {
      readonly small: string
      readonly large: string
      /** First plaintext length in bytes that goes to `large`. */
      readonly crossoverBytes: number
      /** The same when opening, where it differs. */
      readonly openCrossoverBytes?: number
      /** Present where only promise-returning calls bring messages to `large`: Sync calls stay with `small`. */
      readonly syncCalls?: 'small'
    }

/** How far one key may be used, for the volume and targets asked. */
export interface SelectionLimits {
  /** Most messages of the asked size under one key; `null`: the mode sets no limit. */
  readonly messages: bigint | null
  /** Most failed openings under one key; `null`: the mode sets none. */
  readonly failedOpens: bigint | null
  readonly bindingBound: AlgorithmLimits['bindingBound']
  /**
   * Messages after which to change the key, when the volume needs several keys; else `null`. Room for the failed
   * openings asked is left where both draw on one budget.
   */
  readonly rekeyAfterMessages: bigint | null
  readonly basis: AlgorithmLimits['basis']
  /** Whether every limit is shown at the asked target; if not there is the duty `target-not-shown`. */
  readonly targetShown: boolean
  /** Every limit behind the figures. */
  readonly all: readonly Limit[]
}

/** Options of {@link Selection.createSealer}. */
export interface SelectionSealerOptions {
  /**
   * Where nonces come from. Default: `random` where the selection was made for random nonces; else the caller says,
   * because a counter has no default start.
   */
  readonly nonces?: NonceOption | undefined
  /** Counts usage. Default: one meter of this selection at its targets, shared by all its sealers. */
  readonly meter?: Meter | undefined
  /** Layout of what `encrypt` returns. Default: `box`. */
  readonly format?: 'box' | 'bare' | undefined
}

/** What every selection has. */
export interface SelectionBase {
  readonly verdict: Verdict
  readonly evidence: Evidence
  /** What whoever uses the selection must see to, each `id: text`. */
  readonly duties: readonly string[]
  /** The options it was made with, defaults filled in. */
  readonly inputs: ResolvedOptions
  /** Plain JSON, to be stored with the key; counts are decimal strings. */
  toJSON(): SelectionJson
}

/** One algorithm on one backend or a pair, with its limits and duties. Made once per key and stored with it. */
export interface Selection extends SelectionBase {
  readonly algorithm: AlgorithmId
  readonly params: AlgorithmParams
  /** Name of the backend, or the two names of a pair. */
  readonly backend: BackendChoice
  /** The backend itself, or the pair as one, for functions of other packages that take backends. */
  readonly backends: readonly Backend[]
  readonly limits: SelectionLimits
  readonly advice?: undefined
  /** A new key for the algorithm. */
  generateKey(): KeyRecord
  /**
   * A sealer with the nonces, targets and caps of this selection.
   * @param key - a record of the selected algorithm, or its id for a key that never leaves the sealer.
   * @throws AeadError `invalid-argument` (another algorithm's key; nonces this selection was not made for),
   *   `fips-unavailable` (the module stopped enforcing; `auto` found no request for FIPS, and now there is one), and as
   *   core's `createSealer`.
   */
  createSealer(key: KeyRecord | AlgorithmId, options?: SelectionSealerOptions): Promise<Sealer>
  /**
   * One Aead; the caller gives the nonces. Under `fips: 'module'` it only opens: there the IV is made by the sealer.
   * @param key - `params.keyBytes` bytes.
   * @throws AeadError `invalid-argument`, `fips-unavailable` (as for `createSealer`), `backend-failed`.
   */
  createAead(key: BytesInput): Promise<Aead | SyncAead>
}

/** The answer for contexts where the protocol chooses: advice instead of one cipher. */
export interface ProtocolSelection extends SelectionBase {
  readonly algorithm: null
  readonly params: null
  readonly backend: null
  readonly backends: readonly []
  readonly limits: null
  readonly advice: Advice
  /** @throws AeadError `unsupported`: the protocol implementation makes its keys. */
  generateKey(): never
  /** @throws AeadError `unsupported`: the protocol implementation encrypts. */
  createSealer(key?: unknown, options?: unknown): Promise<never>
  /** @throws AeadError `unsupported`: the protocol implementation encrypts. */
  createAead(key?: unknown): Promise<never>
}

/** Either kind. */
export type AnySelection = Selection | ProtocolSelection

/** What a selection is made of. */
export interface SelectionParts {
  readonly params: AlgorithmParams
  readonly choice: BackendChoice
  /** The one backend, or the pair as one. */
  readonly backend: Backend
  readonly limits: SelectionLimits
  readonly verdict: Verdict
  readonly evidence: Evidence
  readonly duties: readonly string[]
  readonly inputs: ResolvedOptions
  /** A reason makes every seal refuse with `unsupported`; opening works. */
  readonly sealRefused: string | undefined
  /** Looks at the FIPS state again. @throws AeadError `fips-unavailable`. */
  readonly recheck: () => Promise<void>
}

const MODULE_MAKES_IV =
  "under fips 'module' the sealer makes the IV: use createSealer; a nonce given by the caller is only good for opening"

/** Turns the parts into a selection. */
export function makeSelection(parts: SelectionParts): Selection {
  const { backend, choice, evidence, inputs, limits, params, sealRefused, verdict } = parts
  // One meter for all sealers, so that two sealers of one key count together.
  let ownMeter: Meter | undefined
  const meter = (): Meter => {
    ownMeter ??= createMeter({
      target: inputs.target,
      nonceTarget: inputs.nonceTarget,
      repeatsPerNonce: limitOptionsOf(inputs).repeatsPerNonce,
    })
    return ownMeter
  }
  const selection: Selection = {
    algorithm: params.id,
    params,
    backend: choice,
    backends: [backend],
    limits,
    verdict,
    evidence,
    duties: parts.duties,
    inputs,
    generateKey: () => generateKey(params.id),
    async createSealer(key, given) {
      const options = readOptions(given, ['nonces', 'meter', 'format'], 'createSealer')
      checkKey(key, params.id)
      const nonces = noncesFor(options.nonces, inputs)
      await parts.recheck()
      return createSealer(key, {
        backends: [backend],
        nonces,
        meter: options.meter ?? meter(),
        format: options.format ?? 'box',
        evidence,
        // A cloned process must not hold nonces in advance.
        noncePool: inputs.nonce !== 'snapshot-risk',
        fips: inputs.fips !== 'off',
        ...(sealRefused === undefined ? {} : { sealRefused }),
      })
    },
    async createAead(key) {
      await parts.recheck()
      const refused = sealRefused ?? (inputs.fips === 'module' ? MODULE_MAKES_IV : undefined)
      return createAead(backend, params.id, key, {
        evidence,
        ...(refused === undefined ? {} : { sealRefused: refused }),
      })
    },
    toJSON: () => selectionJson(selection),
  }
  return selection
}

function checkKey(key: KeyRecord | AlgorithmId, algorithm: AlgorithmId): void {
  const named = typeof key === 'string' ? key : key?.algorithm
  if (named === algorithm) return
  throw new AeadError(
    'invalid-argument',
    `this selection is for ${algorithm}, the key is for ${typeof named === 'string' ? named.slice(0, 40) : 'something else'}`,
  )
}

/** The nonce source for a sealer: the caller's, if the limits and rules of the selection hold for it. */
function noncesFor(given: NonceOption | undefined, inputs: ResolvedOptions): NonceOption {
  const { nonce } = limitOptionsOf(inputs)
  const refuse = (message: string): never => {
    throw new AeadError('invalid-argument', message, { details: { nonce: inputs.nonce } })
  }
  const leased = inputs.nonce === 'leased' || inputs.lease === 'per-seal'
  const kind = typeof given === 'object' && given !== null ? given.kind : given
  if (leased && kind !== 'leased') {
    return refuse(
      inputs.lease === 'per-seal'
        ? "lease 'per-seal' was promised: nonces takes { kind: 'leased', fixedField, lease }, one lease for every seal"
        : "the selection is for leased nonces: nonces takes { kind: 'leased', fixedField, lease }",
    )
  }
  if (nonce === 'counter' && kind === 'random') {
    return refuse(
      `the selection is for nonce '${inputs.nonce}'; random nonces have other limits and may need another algorithm: select again with nonce 'random'`,
    )
  }
  if (nonce === 'counter' && inputs.nonce === 'many-writers' && kind !== 'counter' && kind !== 'leased') {
    return refuse(
      "every writer needs nonces { kind: 'counter' or 'leased', fixedField, ... } with a fixed field of its own",
    )
  }
  // Core refuses a counter without a start, with the reason.
  return given ?? (nonce === 'random' ? 'random' : 'counter')
}

/** The answer for a protocol context. */
export function makeProtocolSelection(parts: {
  readonly context: ProtocolContext
  readonly verdict: Verdict & { readonly advice: Advice }
  readonly evidence: Evidence
  readonly inputs: ResolvedOptions
}): ProtocolSelection {
  const { context, evidence, inputs, verdict } = parts
  const unsupported = (): AeadError =>
    new AeadError(
      'unsupported',
      `${context} encrypts itself (${verdict.rules.join(', ')}): apply the advice to its settings; there is no cipher to create`,
    )
  const selection: ProtocolSelection = {
    algorithm: null,
    params: null,
    backend: null,
    backends: [],
    limits: null,
    advice: verdict.advice,
    verdict,
    evidence,
    duties: verdict.advice.notes.map((note) => `advice: ${note}`),
    inputs,
    generateKey() {
      throw unsupported()
    },
    async createSealer() {
      throw unsupported()
    },
    async createAead() {
      throw unsupported()
    },
    toJSON: () => selectionJson(selection),
  }
  return selection
}
