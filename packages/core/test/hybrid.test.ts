import { describe, expect, it } from 'vitest'
import {
  type AlgorithmParams,
  type Bytes,
  createAead,
  createAeadSync,
  createMeter,
  createSealer,
  defineHybridBackend,
  importKey,
  isAeadError,
  type LaterHalf,
  type RawSyncAead,
  type SyncAead,
  type SyncBackend,
} from '../src/index.ts'
import { rawTestBackend, testBackend } from './backend.ts'

const ID = 'aes-128-gcm'
const KEY = Uint8Array.from({ length: 16 }, (_, at) => 7 * at + 3)
const FROM = 100
const nonce = (first: number): Uint8Array => new Uint8Array(12).fill(first)
const text = (bytes: number): Uint8Array => Uint8Array.from({ length: bytes }, (_, at) => at * 31)
const alone = createAeadSync(testBackend(), ID, KEY, { nonceCheck: false })
const record = (): ReturnType<typeof importKey> =>
  importKey({ algorithm: ID, secret: KEY, keyId: '0011223344556677' })

async function codeOf(action: () => unknown): Promise<string> {
  try {
    await action()
  } catch (error) {
    return isAeadError(error) ? error.code : String(error)
  }
  return 'nothing thrown'
}

/** What the later half waits for before it answers; it may reject. */
interface Gate {
  wait?: (bytes: number) => Promise<void> | undefined
}

function laterOf(aead: RawSyncAead, { tagBytes }: AlgorithmParams, gate: Gate): LaterHalf {
  return {
    sealFromBytes: FROM,
    openFromBytes: FROM,
    async seal(nonce, plaintext, aad) {
      const out = new Uint8Array(plaintext.length + tagBytes)
      aead.seal(nonce, plaintext, aad, out, 0, plaintext.length)
      await gate.wait?.(plaintext.length)
      return out
    },
    async open(nonce, sealed, aad) {
      const bytes = sealed.length - tagBytes
      const out = new Uint8Array(bytes)
      const opened = aead.open(nonce, sealed, 0, bytes, bytes, aad, out)
      await gate.wait?.(bytes)
      return opened ? out : undefined
    },
    destroy: () => undefined,
  }
}

function hybrid(gate: Gate = {}): SyncBackend {
  const raw = rawTestBackend()
  return defineHybridBackend(
    {
      ...raw,
      create(params, key) {
        const aead = raw.create(params, key)
        return { ...aead, later: laterOf(aead, params, gate) }
      },
    },
    async () => ({ available: true }),
  )
}

const aeadOf = (gate: Gate = {}): Promise<SyncAead> => createAead(hybrid(gate), ID, KEY)

/** A gate that is opened by hand, in any order. */
function byHand(): { readonly gate: Gate; readonly answers: ((error?: Error) => void)[] } {
  const answers: ((error?: Error) => void)[] = []
  const wait = (): Promise<void> =>
    new Promise((resolve, reject) =>
      answers.push((error) => (error === undefined ? resolve() : reject(error))),
    )
  return { gate: { wait }, answers }
}

describe('nonces of calls that overlap', () => {
  it('are refused as long as the call has no answer, whatever was sealed since', async () => {
    const { answers, gate } = byHand()
    const aead = await aeadOf(gate)
    const sealing = aead.seal(nonce(1), text(FROM))
    aead.sealSync(nonce(2), text(5))
    expect(await codeOf(() => aead.sealSync(nonce(1), text(5)))).toBe('nonce-reused')
    expect(await codeOf(() => aead.seal(nonce(1), text(FROM)))).toBe('nonce-reused')
    answers[0]?.()
    expect(await sealing).toEqual(alone.sealSync(nonce(1), text(FROM)))
    expect(await codeOf(() => aead.sealSync(nonce(1), text(5)))).toBe('nonce-reused')
  })

  it('of a call that fails leave the last successful one refused', async () => {
    const { answers, gate } = byHand()
    const aead = await aeadOf(gate)
    aead.sealSync(nonce(1), text(5))
    const sealing = aead.seal(nonce(2), text(FROM))
    answers[0]?.(new Error('unplugged'))
    expect(await codeOf(() => sealing)).toBe('backend-failed')
    expect(await codeOf(() => aead.sealSync(nonce(1), text(5)))).toBe('nonce-reused')
    expect(await codeOf(() => aead.sealSync(nonce(2), text(5)))).toBe('nothing thrown')
  })

  it.each([
    ['in the order of the calls', [0, 1]],
    ['the other way round', [1, 0]],
  ])('may all be used again where all failed, %s', async (_, order) => {
    const { answers, gate } = byHand()
    const aead = await aeadOf(gate)
    const both = [1, 2].map((first) => codeOf(() => aead.seal(nonce(first), text(FROM))))
    for (const at of order) answers[at]?.(new Error('unplugged'))
    expect(await Promise.all(both)).toEqual(['backend-failed', 'backend-failed'])
    for (const first of [1, 2]) expect(aead.sealSync(nonce(first), text(5))).toHaveLength(21)
  })

  it('are not watched where the caller says so', async () => {
    const aead = await createAead(hybrid(), ID, KEY, { nonceCheck: false })
    const sealed = await Promise.all([1, 2, 3].map(() => aead.seal(nonce(1), text(FROM))))
    expect(sealed).toEqual([1, 2, 3].map(() => alone.sealSync(nonce(1), text(FROM))))
  })
})

describe('bounds of a key while promises are pending', () => {
  it('messages stop exactly at the border, and the warning comes once', async () => {
    let warnings = 0
    const meter = createMeter({ maxMessages: 50, onWarn: () => void warnings++ })
    const gate = { wait: () => new Promise<void>((resolve) => setTimeout(resolve, 0)) }
    const sealer = await createSealer(record(), { backends: [hybrid(gate)], meter })
    const calls = [
      () => sealer.encrypt(text(FROM)),
      () => sealer.encrypt(text(3)),
      async (): Promise<Bytes> => sealer.encryptSync(text(FROM)),
    ]
    const codes = await Promise.all(
      Array.from({ length: 150 }, (_, at) => codeOf(calls[at % calls.length] ?? calls[0]!)),
    )
    expect(codes.map((code) => code === 'nothing thrown')).toEqual(codes.map((_, at) => at < 50))
    expect(new Set(codes.slice(50))).toEqual(new Set(['key-exhausted']))
    expect([sealer.usage.messages, warnings]).toEqual([50n, 1])
  })

  it('nothing is opened once failures have used up the integrity bound, however many were tried at once', async () => {
    for (const onIntegrityLimit of ['refuse', 'report'] as const) {
      const box = await (await createSealer(record(), { backends: [hybrid()] })).encrypt(text(FROM))
      const forged = Uint8Array.from(box, (byte, at) => (at === 40 ? byte ^ 1 : byte))
      const counted = createMeter()
      const { usage } = await createSealer(record(), { backends: [hybrid()], meter: counted })
      const max = usage.maxFailedBlocks ?? 0n
      // AAD is the header of the box: one block.
      const each = BigInt(Math.ceil(FROM / 16) + 2)
      const keys = counted.snapshot().keys
      const failedBlocks = String(max - 3n * each)
      const [[keyId = '', counts] = []] = Object.entries(keys)
      if (counts === undefined) throw new Error('no counts')
      const snapshot = { version: 1, keys: { [keyId]: { ...counts, failedBlocks } } } as const
      const meter = createMeter({ snapshot, onIntegrityLimit })
      const sealer = await createSealer(record(), { backends: [hybrid()], meter })
      const opens = [forged, forged, forged, box].map((one) => codeOf(() => sealer.decrypt(one)))
      const failed = ['auth-failed', 'auth-failed', 'auth-failed']
      const last = onIntegrityLimit === 'refuse' ? 'key-exhausted' : 'nothing thrown'
      expect(await Promise.all(opens)).toEqual([...failed, last])
      expect(sealer.usage.failedOpens).toBe(3n)
      expect(await codeOf(() => sealer.decrypt(box))).toBe(last)
    }
  })
})

describe('a hybrid without its later half', () => {
  it('is an error of the backend, and the key it has taken is wiped', async () => {
    let wiped = 0
    const raw = rawTestBackend({}, { destroy: () => void wiped++ })
    const backend = defineHybridBackend(raw, async () => ({ available: true }))
    await backend.probe(ID)
    wiped = 0
    expect(await codeOf(() => createAead(backend, ID, KEY))).toBe('backend-failed')
    expect(await codeOf(() => createAeadSync(backend, ID, KEY))).toBe('backend-failed')
    expect(await codeOf(() => createSealer(record(), { backends: [backend] }))).toBe('backend-failed')
    expect(wiped).toBe(3)
  })
})
