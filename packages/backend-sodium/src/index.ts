/**
 * AEADs of libsodium in WebAssembly, AEGIS included: Node, Deno, Bun, browsers.
 * @module
 */
import {
  AeadError,
  type AlgorithmId,
  type AlgorithmParams,
  defineSyncBackend,
  isAeadError,
  type RawSyncBackend,
  readOptions,
  type SyncBackend,
} from '@aeadkit/core'
import { SodiumAead } from './aead.ts'
import { claimsOf } from './claims.ts'
import {
  badTagMark,
  cipherOf,
  type ErrorMark,
  readySodium,
  SODIUM_ALGORITHMS,
  type Sodium,
  type SodiumCipher,
  type SodiumModule,
  versionOf,
} from './library.ts'

export type { SodiumModule } from './library.ts'

/**
 * Longest message, and longest AAD, of one call in bytes: 16 MiB. libsodium takes message, AAD and result into its
 * WebAssembly memory, which grows to hold them and never shrinks: 64 KiB messages stay in the initial 4 MiB, 16 MiB
 * leave 32 MiB behind (48 MiB with AAD as long), 256 MiB would leave 512 MiB. Figures: `bench/heap.mjs`.
 */
const MAX_BYTES = 16_777_216

/** How long libsodium may take to become ready; it takes about 50 ms. In milliseconds. */
const TIMEOUT_MS = 10_000

/** Longest delay that timers take, 2^31 - 1. In milliseconds. */
const MAX_TIMEOUT_MS = 2_147_483_647

/** Options of {@link createSodiumBackend}. */
export interface SodiumOptions {
  /**
   * A module of libsodium-wrappers or libsodium-wrappers-sumo, of any of the shapes their releases have had; it need
   * not be ready. Default: libsodium-wrappers 0.8.4, loaded by `import()` when first needed.
   */
  readonly sodium?: SodiumModule | undefined
  /** How long libsodium may take to load and become ready, in milliseconds. Default 10000. */
  readonly timeoutMs?: number | undefined
}

/** A {@link SyncBackend} whose library loads later. */
export interface SodiumBackend extends SyncBackend {
  /**
   * Loads libsodium, once; may be called again after a failure.
   * @throws AeadError `unsupported` (the package is missing or broken, WebAssembly is refused; with the reason),
   *   `not-ready` (not ready in time).
   */
  ready(): Promise<void>
}

/** An algorithm's calls and how they say that a tag is bad. */
interface ReadyCipher {
  readonly cipher: SodiumCipher
  readonly badTag: ErrorMark
}

/** One line about anything thrown. */
function reasonOf(error: unknown): string {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown }
  if (typeof message !== 'string') return String(error)
  const line = message.split('\n', 1)[0]!
  return typeof name === 'string' ? `${name}: ${line}` : line
}

async function load(module: SodiumModule | undefined): Promise<Sodium> {
  try {
    return await readySodium(module ?? (await import('libsodium-wrappers')))
  } catch (error) {
    if (isAeadError(error)) throw error
    throw new AeadError('unsupported', `libsodium could not be loaded: ${reasonOf(error)}`, { cause: error })
  }
}

function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new AeadError('not-ready', `libsodium did not become ready within ${timeoutMs} ms`))
    }, timeoutMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** What one libsodium has, each algorithm examined once. */
class Library {
  readonly #sodium: Sodium
  readonly #ciphers: Map<AlgorithmId, ReadyCipher | string> = new Map()

  constructor(sodium: Sodium) {
    this.#sodium = sodium
  }

  version(): string {
    return versionOf(this.#sodium)
  }

  /** The calls of an algorithm, or the reason why they cannot be used. */
  cipher(params: AlgorithmParams): ReadyCipher | string {
    let answer = this.#ciphers.get(params.id)
    if (answer === undefined) {
      answer = this.#examine(params)
      this.#ciphers.set(params.id, answer)
    }
    return answer
  }

  #examine(params: AlgorithmParams): ReadyCipher | string {
    const cipher = cipherOf(this.#sodium, params)
    if (typeof cipher === 'string') return cipher
    const badTag = badTagMark(cipher, params)
    return badTag === undefined ? `${this.version()} opened a forgery of ${params.id}` : { cipher, badTag }
  }
}

/** What `defineSyncBackend` takes, over a libsodium that may not be there yet. */
function rawBackend(current: () => Library | undefined, required: () => Library): RawSyncBackend {
  return {
    name: 'sodium',
    kind: 'wasm',
    algorithms: SODIUM_ALGORITHMS,
    maxBytes: MAX_BYTES,
    version: () => current()?.version() ?? 'libsodium, not loaded',
    probe: (params) => {
      const answer = required().cipher(params)
      return typeof answer === 'string' ? answer : true
    },
    claims: (params) => claimsOf(params.bound === 'aegis'),
    create: (params, key) => {
      const answer = required().cipher(params)
      if (typeof answer === 'string') throw new AeadError('unsupported', answer)
      return new SodiumAead(answer.cipher, answer.badTag, params.tagBytes, key)
    },
  }
}

/** @throws AeadError `invalid-argument`. */
function checkedTimeout(timeoutMs: number): number {
  if (Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS) return timeoutMs
  throw new AeadError('invalid-argument', `timeoutMs must be more than 0 and at most ${MAX_TIMEOUT_MS}`)
}

/**
 * The backend at once, with nothing loaded: for places that cannot wait when they are set up. Probing it and making an
 * Aead with it throws AeadError `not-ready` until {@link SodiumBackend.ready} has resolved; nothing loads by itself.
 * @param options - see {@link SodiumOptions}; unknown names are refused.
 * @throws AeadError `invalid-argument`.
 */
export function sodiumBackend(options: SodiumOptions = {}): SodiumBackend {
  const { sodium, timeoutMs: most = TIMEOUT_MS } = readOptions(
    options,
    ['sodium', 'timeoutMs'],
    'sodiumBackend',
  )
  const timeoutMs = checkedTimeout(most)
  let library: Library | undefined
  let loading: Promise<void> | undefined
  const required = (): Library => {
    if (library !== undefined) return library
    throw new AeadError(
      'not-ready',
      'libsodium is not loaded yet: await ready() of the backend, or use createSodiumBackend()',
    )
  }
  const start = async (): Promise<void> => {
    try {
      library = new Library(await withTimeout(load(sodium), timeoutMs))
    } finally {
      loading = undefined
    }
  }
  const backend = defineSyncBackend(rawBackend(() => library, required))
  const probeSync: SyncBackend['probeSync'] = (id) => {
    // Asked first: the shared probe keeps its answers, and this one will change.
    required()
    return backend.probeSync(id)
  }
  return {
    ...backend,
    probeSync,
    probe: async (id) => probeSync(id),
    ready: async () => {
      if (library !== undefined) return
      loading ??= start()
      await loading
    },
  }
}

/**
 * ChaCha20-Poly1305, XChaCha20-Poly1305, AEGIS-128L and AEGIS-256 (32-byte tags) of libsodium in WebAssembly, ready to
 * use.
 * @param options - see {@link SodiumOptions}.
 * @throws AeadError `unsupported` (the package is missing or broken, WebAssembly is refused; with the reason),
 *   `not-ready` (not ready in time), `invalid-argument` (options).
 */
export async function createSodiumBackend(options: SodiumOptions = {}): Promise<SodiumBackend> {
  const backend = sodiumBackend(options)
  await backend.ready()
  return backend
}
