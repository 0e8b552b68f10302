// Regret: time of the selected path over the time of the best hand-written code, in one process. Runs in any runtime.
import { createWasmBackend } from '@aeadkit/backend-wasm'
import type { Aead, AlgorithmId, SyncAead } from '@aeadkit/core'
import { memoryCache, type Selection, selectAead } from 'aeadkit'
import { bareWays, requireRight, type Way } from './bare.ts'
import { type Inputs, inputsOf } from './inputs.ts'
import { refusalsOf } from './refusals.ts'
import { type Effort, medianRatio, type Rounds, timeRounds } from './rounds.ts'

/** Message lengths in bytes. */
export const SIZES: readonly number[] = [64, 1024, 16_384, 1_048_576]

/** `auto`: what selection chooses for `readers: here, nonce: counter`. */
export type Asked = 'auto' | 'aes-256-gcm' | 'chacha20-poly1305' | 'xchacha20-poly1305'

/** What is asked for, in the order of the tables. */
export const ASKED: readonly Asked[] = ['auto', 'aes-256-gcm', 'chacha20-poly1305', 'xchacha20-poly1305']

/** How a selection was made: for any length, or for the one it is then timed at. */
export type Profile = 'any length' | 'this length'

/** One selection timed at one length. */
export interface RegretRow {
  readonly asked: Asked
  readonly algorithm: AlgorithmId
  readonly profile: Profile
  readonly operation: 'seal' | 'open'
  readonly bytes: number
  /** Backend by name, or the pair with its crossover. */
  readonly backend: string
  readonly selectedNs: number
  /** The best bare library and its time. */
  readonly best: string
  readonly bestNs: number
  /** Median over the rounds of selected over best. */
  readonly regret: number
  /** Least and largest regret where several processes were asked. */
  readonly spread?: readonly [number, number]
  /** Time of the second best over that of the best; 1 when there is one alone. */
  readonly secondRatio: number
  /** Time of what a user writes by hand over that of the selected path, where it was timed. */
  readonly gain: number | null
}

/** What one process found. */
export interface RegretRun {
  readonly asked: Asked
  readonly algorithm: AlgorithmId
  /** Class and rules of the verdict. */
  readonly verdict: string
  /** Why the backends were placed as they were, for any length. */
  readonly placement: string
  readonly selectMs: number
  readonly rows: readonly RegretRow[]
  readonly missing: readonly string[]
  /** Libraries a selection may not use, with the rule: they are not counted as the best. */
  readonly excluded: readonly string[]
}

type Operation = 'seal' | 'open'

/** First length in bytes of an operation that the large half of a pair gets. */
function crossoverOf(backend: Pair, operation: Operation): number {
  const { crossoverBytes, openCrossoverBytes = crossoverBytes } = backend
  return operation === 'seal' ? crossoverBytes : openCrossoverBytes
}

type Pair = Exclude<Selection['backend'], string>

function backendText({ backend }: Selection, operation: Operation): string {
  if (typeof backend === 'string') return backend
  const waits = backend.syncCalls === undefined ? '' : ' (awaited)'
  return `${backend.small} < ${crossoverOf(backend, operation)} ≤ ${backend.large}${waits}`
}

/**
 * Whether the selection's own API is called without a promise: where it can be, but for the messages that only an
 * awaited call brings to the faster half. That is how a caller who reads the selection gets the best of it.
 */
export function isCalledSync(backend: Selection['backend'], operation: Operation, bytes: number): boolean {
  return typeof backend === 'string' || backend.syncCalls === undefined
    ? true
    : bytes < crossoverOf(backend, operation)
}

async function selectedWay(library: string, pick: Selection, inputs: Inputs): Promise<Way> {
  const { nonce, plaintext, sealed, sealedNonce } = inputs
  const aead: Aead | SyncAead = await pick.createAead(inputs.key)
  const direct = 'sealSync' in aead ? aead : undefined
  const sync = (operation: Operation): boolean => isCalledSync(pick.backend, operation, plaintext.length)
  const way: Way = {
    library,
    seal:
      direct !== undefined && sync('seal')
        ? () => direct.sealSync(nonce, plaintext)
        : () => aead.seal(nonce, plaintext),
    open:
      direct !== undefined && sync('open')
        ? () => direct.openSync(sealedNonce, sealed)
        : () => aead.open(sealedNonce, sealed),
  }
  await requireRight(way, inputs)
  return way
}

/** Library whose plain use people write by hand here. */
function isUsual(way: Way, hasNode: boolean): boolean {
  return hasNode ? way.usual === true : way.library === 'WebCrypto'
}

/** Selects, then times the selected path and all bare libraries at every length. The process should be a fresh one. */
export async function measureRegret(
  asked: Asked,
  effort: Effort,
  sizes: readonly number[] = SIZES,
): Promise<RegretRun> {
  const options = {
    readers: 'here',
    nonce: asked === 'xchacha20-poly1305' ? 'random' : 'counter',
    ...(asked === 'auto' ? {} : { algorithm: asked }),
  } as const
  const start = performance.now()
  const pick = await selectAead(options)
  const selectMs = performance.now() - start
  const { algorithm } = pick
  const refusals = await refusalsOf(pick)
  const rows: RegretRow[] = []
  let missing: readonly string[] = []
  let excluded: readonly string[] = []
  for (const bytes of sizes) {
    // Fewer messages than the default: 2^20 of 1 MiB pass what AES-GCM may carry under one key.
    const volume = { messageBytes: bytes, messages: 2 ** 16, failedOpens: 2 ** 16 }
    const fitted = await selectAead({ ...options, algorithm, volume, measurementCache: memoryCache() })
    const inputs = inputsOf(algorithm, bytes, createWasmBackend())
    const bare = await bareWays(inputs, refusals)
    missing = bare.missing
    excluded = bare.excluded
    const profiles: readonly (readonly [Profile, Selection])[] = [
      ['any length', pick],
      ['this length', fitted],
    ]
    const selected = await Promise.all(profiles.map(([name, one]) => selectedWay(name, one, inputs)))
    const hasNode = bare.ways.some((way) => way.usual === true)
    const usual = bare.ways.find((way) => isUsual(way, hasNode))?.library
    for (const operation of ['seal', 'open'] as const) {
      const tasks = [...selected, ...bare.ways].map((way) => ({
        name: way.library,
        run: way[operation],
        // The same code as a selection's, so never too slow to be looked at.
        keep: selected.includes(way) || way.library === usual || way.library === 'backend-wasm',
      }))
      const times = await timeRounds(tasks, inputs, effort)
      for (const [profile, one] of profiles) {
        rows.push({
          asked,
          algorithm,
          profile,
          operation,
          bytes,
          backend: backendText(one, operation),
          ...regretOf(times, profile, bare.ways, usual),
        })
      }
    }
  }
  const { class: kind, reasons, rules } = pick.verdict
  return {
    asked,
    algorithm,
    verdict: `${kind}, ${rules.join(' ')}`,
    placement: reasons.at(-1) ?? '',
    selectMs,
    rows,
    missing,
    excluded,
  }
}

function regretOf(
  times: readonly Rounds[],
  profile: Profile,
  ways: readonly Way[],
  usual: string | undefined,
): Pick<RegretRow, 'selectedNs' | 'best' | 'bestNs' | 'regret' | 'secondRatio' | 'gain'> {
  const named = (name: string | undefined): Rounds | undefined => times.find((one) => one.name === name)
  const counted = ways.filter((way) => way.usual === undefined).map(({ library }) => library)
  const bare = times.filter(({ name }) => counted.includes(name)).sort((a, b) => a.medianNs - b.medianNs)
  const [best, ...others] = bare
  if (best === undefined)
    throw new Error(`no bare library was timed: ${times.map(({ name }) => name).join(', ')}`)
  // Two ways of calling one library are no second choice.
  const family = (name: string): string => name.split(',')[0]!
  const second = others.find(({ name }) => family(name) !== family(best.name))
  const selected = named(profile)
  const plain = named(usual)
  return {
    selectedNs: selected?.medianNs ?? Number.POSITIVE_INFINITY,
    best: best.name,
    bestNs: best.medianNs,
    regret: selected === undefined ? Number.POSITIVE_INFINITY : medianRatio(selected, best),
    secondRatio: second === undefined ? 1 : second.medianNs / best.medianNs,
    gain: plain === undefined || selected === undefined ? null : medianRatio(plain, selected),
  }
}
