/** Rows from the verdict tables and sentences that have to fit the inputs. */
import { checkVolume } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { explain, explainLimits, restoreSelection, selectAead } from '../src/index.ts'
import { limitOptionsOf } from '../src/policy/facts.ts'
import { countText } from '../src/policy/family.ts'
import { EVERYTHING, evidence, fake, GUEST, HARDWARE, PARTIAL, timing } from './fakes.ts'

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
      /change the key after 17 175 675 903 \(2\^33\.99\) failed openings$/,
    )
  })
})

describe('too many random nonces under FIPS', () => {
  it('counts the bits that the nonce of each algorithm has', async () => {
    const options = { fips: 'approved-algorithms', volume: { messages: 2 ** 33, messageBytes: 64 } } as const
    const error = await selectAead({ backends: EVERYTHING, evidence: HARDWARE, ...options }).catch(
      (one) => one,
    )
    const said = (error.details.rejected as { algorithm: string; rule: string; reason: string }[]).flatMap(
      ({ algorithm, reason, rule }) =>
        rule === 'V2a' ? [[algorithm, /random (\d+)-bit nonces/.exec(reason)?.[1]]] : [],
    )
    // RFC 9058 §4: the first bit of the 64-bit nonce is 0. Everything else that has V2a takes 12 bytes.
    expect(said).toContainEqual(['magma-mgm', '63'])
    expect(said.length).toBeGreaterThan(5)
    for (const [algorithm, bits] of said)
      if (algorithm !== 'magma-mgm') expect([algorithm, bits]).toEqual([algorithm, '96'])
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
    expect(pick.verdict.reasons[0]).toMatch(/^V10: no native library here has AES-GCM/)
  })
  it.each([
    [
      'its claim',
      { level: 'none' },
      {},
      /^V10: native AES-GCM is left out \(native: none, .+\): only WebAssembly or script/,
    ],
    [
      'a promise',
      { sync: false },
      { sync: true },
      /^V10: native AES-GCM is left out \(native: answers by promise\)/,
    ],
    [
      'its longest message',
      { maxBytes: 1000 },
      {},
      /^V10: native AES-GCM is left out \(native: at most 1000 B a call\)/,
    ],
  ] as const)(
    'V10 names %s where a native library has AES-GCM that is not admitted',
    async (_, extra, more, reason) => {
      const pick = await selectAead({
        backends: [
          fake('native', { algorithms: ['aes-128-gcm', 'aes-256-gcm'], ...extra }),
          fake('other', { algorithms: ['chacha20-poly1305'] }),
          fake('wasm', { kind: 'wasm', level: 'bitsliced' }),
        ],
        evidence: evidence({ source: 'flags' }),
        readers: 'here',
        nonce: 'counter',
        ...more,
      })
      expect(pick.algorithm).toBe('chacha20-poly1305')
      expect(pick.verdict.rules).toContain('V10')
      expect(pick.verdict.reasons[0]).toMatch(reason)
    },
  )
})

describe('why the multiply is missing', () => {
  const item = (name: string, value: string) =>
    ({ name, value, source: 'test', certainty: 'observed' }) as const
  const local = { backends: EVERYTHING, nonce: 'counter' } as const
  /** A mask that is set here, and what it leaves of the multiply. */
  const seen = (mask: string, clmul: 'yes' | 'no') => [
    item('cpu.flags.clmul', 'yes'),
    item('env.OPENSSL_armcap', '0x0'),
    item('env.OPENSSL_ia32cap', mask),
    item('openssl.mask.ia32cap.vector0', mask),
    item('cpu.effective.clmul', clmul),
  ]
  const MASKED_HERE = { ...PARTIAL, items: seen('~0x200000000:~0x0', 'no') }
  const UNMASKED = { ...HARDWARE, items: seen(':~0x60000000000', 'yes') }
  const told = async (options: object): Promise<string> => {
    const { duties, verdict } = await selectAead({ ...local, ...options })
    expect(verdict.rules[0]).toBe('V22')
    return [...verdict.reasons, ...duties].join('\n')
  }
  it('a mask that is set here is the cause here', async () => {
    const text = await told({ evidence: MASKED_HERE, readers: 'here' })
    expect(text.match(/OPENSSL_ia32cap hides the multiply that this CPU has/g)).toHaveLength(2)
    expect(text).not.toMatch(/armcap|hypervisor/)
  })
  it('and not of what a reader lacks', async () => {
    const text = await told({ evidence: UNMASKED, readers: [GUEST] })
    expect(text).not.toMatch(/OPENSSL_/)
    expect(text).toMatch(/the usual cause is a hypervisor CPU model/)
  })
  it('where both lack it, each has its own cause', async () => {
    const text = await told({ evidence: MASKED_HERE, readers: [GUEST] })
    expect(text).toMatch(/here OPENSSL_ia32cap hides .*; on guest the usual cause is a hypervisor/)
  })
})

describe('speed is judged at the lengths that are meant', () => {
  const times = (bytes: number, gcm: number, chacha: number) => [
    timing('native', 'aes-128-gcm', bytes, gcm),
    timing('native', 'chacha20-poly1305', bytes, chacha),
  ]
  // ChaCha20 leads below 2 KiB, AES-GCM beyond: hardware.md §7.
  const measured = {
    ...HARDWARE,
    measurements: [
      ...times(64, 100, 300),
      ...times(256, 300, 900),
      ...times(1350, 900, 1800),
      ...times(16_384, 2600, 1900),
      ...times(65_536, 2600, 1900),
    ],
  }
  const asked = { backends: EVERYTHING, evidence: measured, readers: 'here', nonce: 'counter' } as const
  it.each(['small-messages', 'latency'] as const)(
    '%s without a length: those of the profile',
    async (profile) => {
      const { algorithm, verdict } = await selectAead({ ...asked, profile })
      expect(algorithm).toBe('chacha20-poly1305')
      expect(verdict.rules).toEqual(['V21'])
      // (3 * 3 * 2) ** (1 / 3)
      expect(verdict.reasons[0]).toMatch(/measures 2\.62 times faster \(64 B: .*; 256 B: .*; 1350 B: /)
      expect(verdict.reasons.join()).not.toMatch(/16384 B: chacha/)
      const gcm = verdict.rejected.find((one) => one.algorithm === 'aes-128-gcm')
      expect(gcm?.reason).toMatch(/slower than ChaCha20-Poly1305 at 64, 256 and 1350 B$/)
    },
  )
  it('with a length: that one, though it is the default', async () => {
    const pick = await selectAead({ ...asked, profile: 'latency', volume: { messageBytes: 16_384 } })
    expect(pick.algorithm).toBe('aes-128-gcm')
    expect(pick.verdict.reasons.join()).toMatch(/V21: .* 0\.73 times as fast, .*\(16384 B: /)
  })
  it('a restored selection keeps what its maker said', async () => {
    const pick = await selectAead({ ...asked, profile: 'latency' })
    expect(pick.inputs.sized).toBe(false)
    const again = await restoreSelection(JSON.stringify(pick), { backends: EVERYTHING, evidence: measured })
    expect(again.inputs).toEqual(pick.inputs)
    const old = JSON.parse(JSON.stringify(pick))
    delete old.inputs.sized
    expect((await restoreSelection(old, { backends: EVERYTHING, evidence: measured })).inputs.sized).toBe(
      true,
    )
  })
})

describe('reasons fit what they are said of', () => {
  const base = { backends: EVERYTHING, evidence: HARDWARE } as const

  it('V2a names the formula beside the cap, not the cap twice', async () => {
    const error = await selectAead({
      ...base,
      fips: 'approved-algorithms',
      nonceTarget: -20,
      volume: { messages: 2n ** 33n, messageBytes: 64 },
    }).catch((one) => one)
    // isqrt(2^(97 - 20))
    expect(error.message).toMatch(
      /2\^32 by SP 800-38D §8\.3, 388 736 063 996 \(2\^38\.49\) by the birthday bound at nonceTarget 2\^-20/,
    )
  })

  it('V11 does not take a timing of AES-GCM for one of AES-CCM', async () => {
    const timed = evidence({
      items: [
        {
          name: 'hardware.class',
          value: 'hardware',
          source: 'measured: aes-128-gcm 0.65 ns/B',
          certainty: 'observed',
        },
      ],
    })
    const options = { ...base, evidence: timed, constrained: true, nonce: 'counter' } as const
    const pick = await selectAead({ ...options, readers: [{ name: 'sensor', aes: 'yes', clmul: 'no' }] })
    expect(pick.algorithm).toBe('aes-128-ccm')
    expect(pick.verdict.reasons[0]).toMatch(/AES engine \(here: AES yes; sensor: AES yes\), so AES-CCM/)
    expect(pick.verdict.reasons[0]).not.toMatch(/gcm/)
  })

  it('says where AES-GCM does not run on the instructions that are there', async () => {
    const backends = [fake('native'), fake('wasm', { kind: 'wasm', level: 'bitsliced' })]
    const options = { ...base, backends, readers: 'here', nonce: 'counter' } as const
    const native = (await selectAead(options)).verdict.reasons.join('\n')
    expect(native).toMatch(/V18: every end has AES and carry-less multiply/)
    expect(native).not.toMatch(/without those/)
    const line = (backend: string, call: number, perByte: number) =>
      [64, 1024, 65_536, 1_048_576].flatMap((bytes) =>
        (['seal', 'open'] as const).map((operation) => {
          const nanoseconds = call + bytes * perByte
          return { backend, algorithm: 'aes-128-gcm', operation, bytes, nanoseconds } as const
        }),
      )
    const timed = (wasm: number) =>
      evidence({ measurements: [...line('native', 4000, 0.5), ...line('wasm', 400, wasm)] })
    const pair = await selectAead({ ...options, evidence: timed(8) })
    expect(pair.backend).toMatchObject({ small: 'wasm', large: 'native' })
    expect(pair.verdict.reasons.join('\n')).toMatch(
      /\nwasm computes it without those instructions \(constant time: bitsliced\): below \d+ B a native call costs more than the cipher/,
    )
    // Named by the caller, it is said as well; without the hardware there are no such instructions.
    const named = await selectAead({ ...options, algorithm: 'aes-128-gcm', evidence: timed(8) })
    expect(named.verdict.reasons.join('\n')).toMatch(/without those/)
    const soft = { ...timed(8), hardwareClass: 'none' } as const
    const none = await selectAead({ ...options, algorithm: 'aes-128-gcm', evidence: soft })
    expect(none.backend).toMatchObject({ small: 'wasm' })
    expect(none.verdict.reasons.join('\n')).not.toMatch(/without those/)
  })

  it('a count never looks larger than it is', () => {
    expect(countText(67_043_391n)).toBe('67 043 391 (2^25.99)')
    for (const bits of [20n, 40n, 52n, 53n, 60n, 64n, 100n]) {
      const [, exponent] = /\(2\^([\d.]+)\)$/.exec(countText(2n ** bits - 1n))!
      expect(Number(exponent), String(bits)).toBeLessThan(Number(bits))
    }
  })

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

describe('the claim of constant time in an explanation', () => {
  it('is that of the chosen backend with its basis, and ages', async () => {
    const pick = await selectAead({
      backends: [fake('wasm', { kind: 'wasm', level: 'structural' })],
      evidence: HARDWARE,
    })
    const { chosen, notices } = explain(pick, { today: new Date('2026-12-01T12:00:00Z') })
    expect(chosen.at(-1)).toBe('constant time: structural: as the test says (checked 2026-11-30)')
    expect(notices).toEqual([])
    const later = explain(pick, { today: new Date('2028-01-01T12:00:00Z') }).notices
    expect(later.filter((line) => /timing of wasm: structural/.test(line))).toHaveLength(1)
  })
  it('follows the backend, and advice has none', async () => {
    const line = async (level: 'platform' | 'structural') =>
      explain(
        await selectAead({
          backends: [fake('native', { level })],
          evidence: HARDWARE,
          context: 'own-protocol',
        }),
      ).chosen.join('\n')
    expect(await line('platform')).toMatch(/constant time: platform: /)
    const advice = await selectAead({ backends: EVERYTHING, evidence: HARDWARE, context: 'tls-server' })
    expect(explain(advice).chosen.join()).not.toMatch(/constant time/)
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
