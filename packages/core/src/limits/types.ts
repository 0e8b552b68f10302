/**
 * What a limit rests on.
 * - `formula`: computed for the asked target.
 * - `published-constant`: a document's number, as it stands there.
 * - `estimate`: a generic argument where no document gives a number; never meets a target by itself, but may bind.
 */
export type LimitBasis = 'formula' | 'published-constant' | 'estimate'

/** Which property a limit protects; `published` is a document's cap that names no single property. */
export type LimitKind = 'confidentiality' | 'integrity' | 'nonce-collision' | 'published'

/** One limit on the use of one key. */
export interface Limit {
  readonly kind: LimitKind
  /** What `max` counts. Blocks are cipher blocks: 16 bytes, for Magma 8. */
  readonly unit: 'messages' | 'blocks' | 'failed-opens' | 'bytes'
  /** Largest count still inside the limit; `null` when the mode sets none, or its document states none. */
  readonly max: bigint | null
  readonly basis: LimitBasis
  /** log2 of the advantage at which `max` holds; `null` when the document names none. */
  readonly provenAt: number | null
  /** Whether the limit is shown at the asked target: never for an estimate or a constant that holds at a weaker one. */
  readonly meetsTarget: boolean
  /** Document and section. */
  readonly source: string
}

/** How a key is going to be used. */
export interface LimitOptions {
  /** log2 of the advantage to stay below, per key, for each property apart: an integer from -128 to -1, such as -57. */
  readonly target: number
  /** The same for nonce collisions. Default: `target`, with `fips` -32. */
  readonly nonceTarget?: number | undefined
  /** Whether nonces are drawn at random or counted. */
  readonly nonce: 'random' | 'counter'
  /** Plaintext bytes of one message. */
  readonly messageBytes: number | bigint
  /** AAD bytes of one message. Default: 0. */
  readonly aadBytes?: number | bigint | undefined
  /**
   * How many messages may share one nonce. Above 1 only modes that survive repeats (SIV) read it: their collision
   * limit falls away, and AES-GCM-SIV uses its rows for 256 or 1024 repeats. Other modes keep their limit. Default: 1.
   */
  readonly repeatsPerNonce?: number | undefined
  /** Adds the cap of 2^32 messages for random 96-bit nonces. Default: false. */
  readonly fips?: boolean | undefined
}

/** Every limit of one algorithm for one way of use. */
export interface AlgorithmLimits {
  readonly limits: readonly Limit[]
  /** Most messages of this size under one key, by all limits; 0 when one message is already too long. */
  readonly messages: bigint | null
  /** Most failed opens of this size under one key; `null` when no number is known or the mode sets none. */
  readonly failedOpens: bigint | null
  /** The kind of the limit that gives `messages`; `none` when only the width of the nonce counter does. */
  readonly bindingBound: LimitKind | 'none'
  /** What the binding limit rests on; `formula` when there is none. */
  readonly basis: LimitBasis
  /**
   * Whether confidentiality, integrity and, for random nonces, nonce collision each have a limit at the target that is no
   * estimate. An estimate beside it may still allow less and bind: `basis` says so.
   */
  readonly targetShown: boolean
}

/** What is planned, or was done, under one key. */
export interface Volume {
  /** Messages sealed. */
  readonly messages: number | bigint
  /** Plaintext bytes of each. */
  readonly messageBytes: number | bigint
  /** AAD bytes of each. Default: 0. */
  readonly aadBytes?: number | bigint | undefined
  /** Failed opens of messages of that size. Default: 0. */
  readonly failedOpens?: number | bigint | undefined
}

/** {@link LimitOptions} where the volume gives the sizes. */
export type VolumeOptions = Omit<LimitOptions, 'messageBytes' | 'aadBytes'> &
  Partial<Pick<LimitOptions, 'messageBytes' | 'aadBytes'>>

/** One limit that a volume exceeds. */
export interface LimitViolation {
  readonly limit: Limit
  /** What the volume needs, in `messages`, or in `failed-opens` or `bytes` where the limit counts those. */
  readonly asked: bigint
  /** What is allowed, in the same unit. */
  readonly max: bigint
  /** For people: both numbers and what to do. */
  readonly message: string
}

/** log2 of the advantages a volume spends; `null` where nothing is spent or no formula is known. */
export interface Advantages {
  readonly confidentiality: number | null
  readonly integrity: number | null
  readonly nonceCollision: number | null
}
