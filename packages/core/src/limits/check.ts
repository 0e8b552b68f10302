import type { AlgorithmParams } from '../algorithms.ts'
import { AeadError } from '../errors.ts'
import { readOptions } from '../names.ts'
import type { Use } from './bounds.ts'
import { blocksOf, messageBlocks } from './formulas.ts'
import { checkCount, checkParams } from './input.ts'
import { messageTooLong, OPTIONS, readUse, type SizedBound, sizedBounds } from './of.ts'
import type { Advantages, Limit, LimitViolation, Volume, VolumeOptions } from './types.ts'

const VOLUME: readonly string[] = ['messages', 'messageBytes', 'aadBytes', 'failedOpens']

interface Planned {
  readonly use: Use
  readonly messages: bigint
  readonly failedOpens: bigint
}

function readVolume(params: unknown, volume: Volume, options: VolumeOptions, where: string): Planned {
  checkParams(params, where)
  const {
    messages,
    messageBytes,
    aadBytes,
    failedOpens = 0,
  } = readOptions<Volume>(volume ?? null, VOLUME, `${where}: volume`)
  const asked = readOptions<VolumeOptions>(options ?? null, OPTIONS, where)
  const use = readUse({ ...asked, messageBytes, aadBytes: aadBytes ?? asked.aadBytes }, where)
  return {
    use,
    messages: checkCount(messages, 'messages'),
    failedOpens: checkCount(failedOpens, 'failedOpens'),
  }
}

/**
 * Which limits a planned volume exceeds. A limit that is not shown at the target but not exceeded is no violation.
 * @param params - facts about the algorithm, from `ALGORITHMS`.
 * @param volume - counts and sizes under one key; its sizes win over those of `options`.
 * @param options - target and kind of nonces.
 * @returns one plain object per exceeded limit; empty when the volume is inside all of them.
 * @throws AeadError `invalid-argument`: as `limitsOf`, and for counts that are not whole numbers.
 */
export function checkVolume(
  params: AlgorithmParams,
  volume: Volume,
  options: VolumeOptions,
): readonly LimitViolation[] {
  const planned = readVolume(params, volume, options, 'checkVolume')
  const violations: LimitViolation[] = []
  const tooLong = messageTooLong(params, planned.use)
  if (tooLong !== undefined) {
    violations.push({
      limit: tooLong.limit,
      asked: tooLong.asked,
      max: tooLong.limit.max!,
      message: `${params.id}: a message of ${tooLong.asked} bytes is longer than the ${tooLong.limit.max} bytes it takes (${tooLong.limit.source})`,
    })
  }
  for (const item of sizedBounds(params, planned.use)) {
    const exceeded = compare(item, planned)
    if (exceeded === undefined) continue
    violations.push({ limit: item.limit, ...exceeded, message: text(params, item, exceeded, planned) })
  }
  return violations
}

/**
 * Refuses a volume that exceeds a limit.
 * @throws AeadError `limit-exceeded` with every exceeded limit in `details.violations`; `invalid-argument` as
 *   {@link checkVolume}.
 */
export function assertVolume(params: AlgorithmParams, volume: Volume, options: VolumeOptions): void {
  const violations = checkVolume(params, volume, options)
  if (violations.length === 0) return
  throw new AeadError('limit-exceeded', violations.map((violation) => violation.message).join('; '), {
    details: {
      algorithm: params.id,
      violations: violations.map(({ limit, asked, max }) => ({ ...limit, asked, max })),
    },
  })
}

function compare(item: SizedBound, planned: Planned): { asked: bigint; max: bigint } | undefined {
  const { bound, limit, perSeal, perFail } = item
  const used = planned.messages * perSeal + planned.failedOpens * perFail
  const overCap = bound.failCap !== undefined && planned.failedOpens > bound.failCap
  if (used <= bound.budget && !overCap) return undefined
  if (limit.unit === 'blocks' || limit.unit === 'bytes') return { asked: used, max: bound.budget }
  if (perSeal === 0n) return { asked: planned.failedOpens, max: item.failedOpens! }
  const asked = perFail === 0n ? planned.messages : planned.messages + planned.failedOpens
  return { asked, max: item.messages! }
}

function text(
  params: AlgorithmParams,
  item: SizedBound,
  exceeded: { asked: bigint; max: bigint },
  planned: Planned,
): string {
  const { limit, bound } = item
  const shared = item.perSeal > 0n && item.perFail > 0n
  const unit: Record<Limit['unit'], string> = {
    messages: 'messages',
    blocks: bound.seal === 'blocks8' ? 'blocks of 8 bytes' : 'blocks of 16 bytes',
    bytes: 'bytes',
    'failed-opens': shared ? 'messages and failed opens' : 'failed opens',
  }
  const size = `of ${planned.use.plaintextBytes} bytes`
  const sized = limit.unit === 'blocks' || limit.unit === 'bytes' ? '' : ` ${size}`
  const at = limit.provenAt === null ? '' : ` at 2^${limit.provenAt}`
  const head = `${params.id}: ${exceeded.asked} ${unit[limit.unit]}${sized} under one key, at most ${exceeded.max}${at} by the ${limit.kind} limit (${limit.basis}; ${limit.source})`
  if (limit.kind !== 'nonce-collision' || bound.counterWidth === true || params.randomNonceBits !== 96)
    return head
  const other =
    params.fips === 'approved'
      ? 'xchacha20-poly1305, or xaes-256-gcm where AES is required'
      : 'xchacha20-poly1305 or xaes-256-gcm'
  // None of them is on the list of FIPS 140-3.
  const longer = planned.use.fips ? '' : `take an algorithm with 24-byte nonces (${other}), `
  return `${head}. Random 96-bit nonces allow 2^20 (1048576) messages at 2^-57 and 2^32 (4294967296) at 2^-33; ${longer}count the nonces, or change the key earlier`
}

/**
 * The advantages a volume spends, for explanations. Each is rounded to a double; decisions use {@link checkVolume}.
 * @returns log2 of each advantage, at most 0; `null` where nothing is spent or no formula is known.
 * @throws AeadError `invalid-argument`, as {@link checkVolume}.
 */
export function advantagesOf(params: AlgorithmParams, volume: Volume, options: VolumeOptions): Advantages {
  const { use, messages: q, failedOpens: v } = readVolume(params, volume, options, 'advantagesOf')
  const blocks = messageBlocks(use.plaintextBytes, use.aadBytes)
  const collisions = use.nonce === 'random' && q > 0n ? share(q * q, params.randomNonceBits + 1) : null
  const spent = (confidentiality: number | null, integrity: number | null): Advantages => ({
    confidentiality,
    integrity,
    nonceCollision: collisions,
  })
  const gcmForgery = share(2n * v * (blocks + 1n), 128)
  switch (params.bound) {
    case 'gcm': {
      const sum = q === 0n ? 0n : q * blocks + q + 1n
      return spent(share(sum * sum, 129), gcmForgery)
    }
    case 'xaes':
      return spent(share(4n * q * q + q * (blocks + 2n) * (blocks + 2n), 129), gcmForgery)
    case 'poly1305':
      return spent(null, share(v * (blocks + 1n), 103))
    case 'ccm': {
      const length = blocks > 0n ? blocks : 1n
      const sealed = 2n * length * q
      const all = v === 0n ? 0n : 2n * length * (q + v)
      return spent(share(sealed * sealed, 128), share(v + all * all, 128))
    }
    case 'mgm-128': {
      const sum = q * (blocks > 0n ? blocks : 1n)
      return spent(share(sum * sum, 129), null)
    }
    case 'mgm-64': {
      const length = blocksOf(use.plaintextBytes, 8n) + blocksOf(use.aadBytes, 8n)
      const sum = q * (length > 0n ? length : 1n)
      return spent(share(sum * sum, 65), null)
    }
    default:
      return spent(null, null)
  }
}

/** log2(count / 2^bits), at most 0; `null` for a count of 0. */
function share(count: bigint, bits: number): number | null {
  if (count === 0n) return null
  // Doubles hold 53 bits: more than that is shifted out first, so that large counts do not overflow.
  const extra = Math.max(0, count.toString(2).length - 60)
  return Math.min(0, Math.log2(Number(count >> BigInt(extra))) + extra - bits)
}
