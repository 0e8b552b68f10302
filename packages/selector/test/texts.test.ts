/** Rows from the verdict tables and sentences that have to fit the inputs. */
import { checkVolume } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { explain, explainLimits, selectAead } from '../src/index.ts'
import { limitOptionsOf } from '../src/policy/facts.ts'
import { EVERYTHING, evidence, fake, HARDWARE, PARTIAL } from './fakes.ts'

describe('one key of a volume that is split', () => {
  it.each([2 ** 20, 2 ** 22, 2 ** 24])('AES-CCM leaves room for %d failed openings', async (failedOpens) => {
    const pick = await selectAead({
      backends: EVERYTHING,
      evidence: HARDWARE,
      algorithm: 'aes-128-ccm',
      nonce: 'counter',
      rekey: 'possible',
      volume: { messages: 2 ** 24, messageBytes: 65536, failedOpens },
    })
    const messages = pick.limits.rekeyAfterMessages!
    // limits.md §2: v + q <= 5931641 for 64 KiB at 2^-57.
    if (failedOpens < 5_931_641) expect(messages + BigInt(failedOpens)).toBe(5_931_641n)
    expect(messages).toBeGreaterThan(0n)
    const own = { ...pick.inputs.volume, messages, failedOpens: 5_931_641n - messages }
    expect(checkVolume(pick.params, own, limitOptionsOf(pick.inputs))).toEqual([])
    const integrity = explainLimits(pick).find((line) => line.startsWith('integrity'))!
    expect(Number(/spends 2\^(-[\d.]+)/.exec(integrity)![1])).toBeLessThanOrEqual(-57)
  })

  it('failed openings alone past the limit: the duty says after how many of them', async () => {
    const pick = await selectAead({
      backends: EVERYTHING,
      evidence: HARDWARE,
      nonce: 'counter',
      rekey: 'possible',
      volume: { messageBytes: 65536, failedOpens: 2 ** 40 },
    })
    expect(pick.duties.find((duty) => duty.startsWith('split-keys'))).toMatch(
      /change the key after 17 175 675 903 \(2\^33\.9\) failed openings$/,
    )
  })
})

describe('software AES', () => {
  it('is not taken for the hardware: V10 where no native library has AES-GCM', async () => {
    const pick = await selectAead({
      backends: [
        fake('native', { algorithms: ['chacha20-poly1305', 'xchacha20-poly1305'] }),
        fake('wasm', { kind: 'wasm', level: 'bitsliced' }),
      ],
      evidence: evidence({ source: 'flags' }),
      readers: 'here',
      nonce: 'counter',
    })
    expect(pick.algorithm).toBe('chacha20-poly1305')
    expect(pick.verdict.rules).toContain('V10')
  })
})

describe('reasons fit what they are said of', () => {
  const base = { backends: EVERYTHING, evidence: HARDWARE } as const

  it('a 24-byte nonce is not advised to an algorithm that has one', async () => {
    const error = await selectAead({ ...base, volume: { messages: 2n ** 100n } }).catch((one) => one)
    expect(error.message).toMatch(
      /xchacha20-poly1305: V15: 192 random bits [^;]*; 2\^100 are asked: change the key earlier/,
    )
  })

  it('ChaCha20-Poly1305 is not said to depend on hardware', async () => {
    const { rejected } = (await selectAead(base)).verdict
    const one = rejected.find(({ algorithm }) => algorithm === 'chacha20-poly1305')
    expect(one).toMatchObject({ rule: 'V17', reason: 'xchacha20-poly1305 comes first' })
  })

  it('AEGIS nobody opted in to is not said to be missing, unless it is asked for', async () => {
    const rules = ({ rejected }: { readonly rejected: readonly { algorithm: string; rule: string }[] }) =>
      rejected.filter(({ algorithm }) => algorithm === 'aegis-128l').map(({ rule }) => rule)
    const only = { ...base, backends: [fake('n', { algorithms: ['aes-128-gcm', 'xchacha20-poly1305'] })] }
    expect(rules((await selectAead(only)).verdict)).toEqual(['aegis-opt-in'])
    const error = await selectAead({ ...only, algorithm: 'aegis-128l' }).catch((one) => one)
    expect(rules(error.details)).toEqual(['aegis-opt-in', 'availability'])
  })

  it('an exceeded limit names its algorithm once', async () => {
    const error = await selectAead({
      ...base,
      algorithm: 'aes-128-gcm',
      nonce: 'counter',
      volume: { messages: 2 ** 40 },
    }).catch((one) => one)
    expect(error.message.match(/aes-128-gcm/g)).toHaveLength(1)
  })

  it('an empty message is one of 0 B', async () => {
    const backends = [fake('n', { algorithms: ['aes-128-gcm'] }), fake('m', { algorithms: ['aes-128-gcm'] })]
    const cost = (backend: string, nanoseconds: number) =>
      (['seal', 'open'] as const).flatMap((operation) =>
        [64, 65_536].map((bytes) => ({
          backend,
          algorithm: 'aes-128-gcm' as const,
          operation,
          bytes,
          nanoseconds,
        })),
      )
    const evidence = { ...HARDWARE, measurements: [...cost('n', 500), ...cost('m', 900)] }
    const pick = await selectAead({
      ...base,
      backends,
      evidence,
      readers: 'here',
      nonce: 'counter',
      volume: { messageBytes: 0 },
    })
    expect(pick.verdict.reasons.join('\n')).toMatch(/per message of 0 B: /)
  })

  it('AES-CCM needs no multiply, so it is not slow without one', async () => {
    const pick = await selectAead({
      ...base,
      evidence: PARTIAL,
      constrained: true,
      readers: 'here',
      nonce: 'counter',
    })
    expect(pick.algorithm).toBe('aes-128-ccm')
    expect(pick.duties.filter((duty) => duty.startsWith('slow-here'))).toEqual([])
  })

  it('when nobody has what the rules name, the error says why what is there is out', async () => {
    const only = [fake('n', { algorithms: ['aes-128-gcm'] })]
    const error = await selectAead({
      ...base,
      backends: only,
      readers: 'here',
      nonce: 'counter',
      volume: { messages: 2 ** 27 },
    }).catch((one) => one)
    expect(error.details.rules).toContain('limits')
    expect(error.message).toContain('aes-128-gcm: limits:')
  })

  it('a mandate on the key size reaches the nginx setting', async () => {
    const pick = await selectAead({ ...base, context: 'tls-server', keyBits: 256 })
    const nginx = pick.verdict.advice!.settings.find(({ program }) => program === 'nginx')!
    expect(nginx.text).toContain('Ciphersuites TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256;')
  })
})

describe('backends in an explanation', () => {
  it('one of which nothing works is unavailable with its reasons, others are not named', async () => {
    const item = (name: string, value: string) =>
      ({ name, value, source: 'self-test', certainty: 'observed' }) as const
    const pick = await selectAead({
      backends: EVERYTHING,
      evidence: {
        ...HARDWARE,
        items: [
          item('backend.broken', 'unknown, js, synchronous'),
          item('backend.broken.aes-128-gcm', 'presence: could not be loaded: no such file'),
          item('backend.broken.aes-256-gcm', 'presence: could not be loaded: no such file'),
          item('backend.half.aes-128-gcm', 'passed'),
          item('backend.half.aes-256-gcm', 'known-answer: other bytes'),
        ],
      },
    })
    expect(explain(pick).passedOver.filter((line) => line.startsWith('backend '))).toEqual([
      'backend broken: unavailable: could not be loaded: no such file',
    ])
  })
})
