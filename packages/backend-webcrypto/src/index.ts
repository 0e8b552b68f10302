/**
 * AEADs of WebCrypto: every runtime that has `crypto.subtle`, or one handed in. By promise only.
 * @module
 */
import {
  AeadError,
  ALGORITHMS,
  type AlgorithmId,
  type AlgorithmParams,
  type AsyncBackend,
  type BackendKind,
  type ConstantTimeClaim,
  defineAsyncBackend,
  type RawAsyncAead,
  readOptions,
} from '@aeadkit/core'
import { WebCryptoAead } from './aead.ts'
import { HANDED_IN, platformClaims } from './claims.ts'
import { fipsFlag, isNode, versionText } from './host.ts'
import { type Presence, tryAlgorithm, tryNonce } from './presence.ts'
import {
  importKey,
  isStandardMark,
  MODES,
  type Subtle,
  takesVariant,
  WEBCRYPTO_ALGORITHMS,
} from './subtle.ts'

/**
 * Longest message of one call in bytes, 2^31 - 18: one less than on the other backends. Sealed with its 16-byte tag, a
 * message of 2^31 - 17 bytes has 2^31 - 1; given one, WebCrypto of Node 20 aborts the process, and from Node 24 on it
 * throws the `OperationError` of a bad tag. Bun and Deno would go on.
 */
const MAX_BYTES = 2_147_483_630

/** Any WebCrypto: `globalThis.crypto`, `require('node:crypto').webcrypto`, `new Crypto()` of @peculiar/webcrypto. */
export interface WebCryptoLike {
  /** Its `SubtleCrypto`. */
  readonly subtle: object
}

/** Options of {@link createWebCryptoBackend}. */
export interface WebCryptoOptions {
  /** The WebCrypto to use. Default: the platform's own, `globalThis.crypto`, looked up when first needed. */
  readonly crypto?: WebCryptoLike | undefined
  /** Where a WebCrypto that was handed in does its work. Default `native`. */
  readonly kind?: BackendKind | undefined
  /** Name and exact version of a WebCrypto that was handed in, for reports. */
  readonly version?: string | undefined
  /** What is known of the timing of a WebCrypto that was handed in. Default: level `unknown`. */
  readonly constantTime?: ConstantTimeClaim | undefined
  /**
   * `false` leaves out algorithms that the platform calls experimental: ChaCha20-Poly1305 and AES-OCB on Node, which
   * print an `ExperimentalWarning` when first used. Default `true`.
   */
  readonly experimental?: boolean | undefined
}

const OPTION_NAMES = ['crypto', 'kind', 'version', 'constantTime', 'experimental'] as const

/** A WebCrypto with what is known about it. */
class Platform {
  readonly #given: WebCryptoLike | undefined
  readonly #options: WebCryptoOptions
  #trials: Map<AlgorithmId, Promise<Presence | string>> = new Map()
  #mode: number | undefined

  constructor(options: WebCryptoOptions) {
    this.#options = options
    this.#given = options.crypto
  }

  /** Whether the platform's own WebCrypto is used, handed in or not. */
  get own(): boolean {
    return this.#given === undefined || this.#given === (globalThis as { crypto?: unknown }).crypto
  }

  get subtle(): Subtle | undefined {
    const crypto = this.#given ?? (globalThis as { crypto?: WebCryptoLike }).crypto
    return crypto?.subtle as Subtle | undefined
  }

  version(): string {
    if (this.own) return versionText()
    return this.#options.version ?? 'a WebCrypto that was handed in'
  }

  /** What can be said without a promise: `true`, or the reason why the algorithm is missing. */
  present(params: AlgorithmParams): true | string {
    if (this.subtle === undefined) {
      return 'there is no crypto.subtle: the page is no secure context, or the runtime has no WebCrypto; hand one in'
    }
    const modern = MODES[params.id]?.modern === true
    if (modern && this.#options.experimental === false && this.own && isNode()) {
      return `${params.id} was declined without being tried: it is experimental where Node has it`
    }
    return true
  }

  /** The mode the platform's library is in; one that was handed in is taken to have one. */
  mode(): number | undefined {
    return this.own ? fipsFlag() : undefined
  }

  /** Tries an algorithm, once in each mode. */
  async try(params: AlgorithmParams): Promise<Presence | string> {
    const present = this.present(params)
    if (present !== true) return present
    const mode = this.mode()
    if (mode !== this.#mode) this.#trials = new Map()
    this.#mode = mode
    let trial = this.#trials.get(params.id)
    if (trial === undefined) {
      trial = this.#trial(params)
      this.#trials.set(params.id, trial)
    }
    return trial
  }

  async #trial(params: AlgorithmParams): Promise<Presence | string> {
    const answer = await tryAlgorithm(this.subtle!, params, this.version())
    if (typeof answer === 'string' || !this.own || isStandardMark(answer.badTag)) return answer
    return `${this.version()} reports a bad tag of ${params.id} as ${String(answer.badTag.name)}`
  }

  async create(params: AlgorithmParams, key: Uint8Array): Promise<RawAsyncAead> {
    // Before the first await: core wipes its copy.
    const copy = new Uint8Array(key)
    try {
      const presence = await this.try(params)
      if (typeof presence === 'string') throw new AeadError('unsupported', presence)
      const subtle = this.subtle!
      if (params.nonceBytes !== ALGORITHMS[params.id].nonceBytes) {
        const takes = await tryNonce(subtle, presence, params, this.version())
        if (takes !== true) throw new AeadError('unsupported', takes)
      }
      const { mode, badTag } = presence
      return new WebCryptoAead(
        { subtle, copies: !this.own },
        mode,
        badTag,
        await importKey(subtle, mode, copy),
      )
    } finally {
      copy.fill(0)
    }
  }
}

/** @throws AeadError `invalid-argument`. */
function readChecked(given: WebCryptoOptions): WebCryptoOptions {
  const options = readOptions(given, OPTION_NAMES, 'createWebCryptoBackend')
  const { crypto } = options
  if (crypto === undefined) return options
  const subtle = (crypto as Partial<WebCryptoLike> | null)?.subtle as Partial<Subtle> | undefined
  if (typeof subtle?.importKey === 'function') return options
  throw new AeadError('invalid-argument', 'crypto must be a WebCrypto: an object whose subtle has importKey')
}

/**
 * AES-128-GCM and AES-256-GCM on every WebCrypto; ChaCha20-Poly1305, AES-128-OCB and AES-256-OCB where it has them.
 * Keys are imported once and cannot be exported. Nothing is called before the backend is probed or used.
 * @param given - see {@link WebCryptoOptions}; unknown names are refused.
 * @throws AeadError `invalid-argument`.
 */
export function createWebCryptoBackend(given: WebCryptoOptions = {}): AsyncBackend {
  const options = readChecked(given)
  const platform = new Platform(options)
  const handedIn = {
    constantTime: options.constantTime ?? HANDED_IN,
    oneShot: true,
    fipsModule: options.kind === 'js' || options.kind === 'wasm' ? 'off' : 'unknown',
  } as const
  const backend = defineAsyncBackend({
    name: 'webcrypto',
    kind: platform.own ? 'native' : (options.kind ?? 'native'),
    algorithms: WEBCRYPTO_ALGORITHMS,
    maxBytes: MAX_BYTES,
    version: () => platform.version(),
    probe: (params) => platform.present(params),
    mode: () => platform.mode(),
    claims: (params, evidence) => (platform.own ? platformClaims(MODES[params.id], evidence) : handedIn),
    takesVariant,
    create: (params, key) => platform.create(params, key),
  })
  return {
    ...backend,
    probe: async (id) => {
      // What is absent shows only when it is tried, and trying takes a promise, which the presence check has not.
      const answer = WEBCRYPTO_ALGORITHMS.includes(id) ? await platform.try(ALGORITHMS[id]) : undefined
      if (typeof answer === 'string') return { available: false, stage: 'absent', reason: answer }
      return backend.probe(id)
    },
  }
}
