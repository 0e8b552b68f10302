import { isAeadError, isConstantTime } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { hardwareClassOf } from '../src/evidence/hardware-class.ts'
import { selectAead } from '../src/select.ts'
import { ALL, evidence, fake, HARDWARE, NO_HARDWARE, timing } from './fakes.ts'

/** Evidence as the collector would make it from two speeds in MB/s inside one native backend. */
function measured(gcm: number, chacha: number, flags: boolean | null = true) {
  const measurements = [
    timing('native', 'aes-128-gcm', 262_144, gcm),
    timing('native', 'chacha20-poly1305', 262_144, chacha),
  ]
  const { hardwareClass, reason, source } = hardwareClassOf({
    measurements,
    kinds: { native: 'native' },
    flags,
  })
  return evidence({
    hardwareClass,
    source,
    measurements,
    items: [{ name: 'hardware.class', value: hardwareClass, source: reason, certainty: 'observed' }],
  })
}

const here = { readers: 'here', nonce: 'counter' } as const
const native = [fake('native')]

describe('R09 per-call cost decides small messages', () => {
  const table = [
    timing('subtle', 'aes-128-gcm', 64, 0.5),
    timing('node', 'aes-128-gcm', 64, 5.6),
    timing('script', 'chacha20-poly1305', 64, 1.1),
  ]
  const subtle = fake('subtle', { sync: false, algorithms: ['aes-128-gcm'] })
  const node = fake('node', { algorithms: ['aes-128-gcm'] })
  const script = fake('script', { kind: 'js', level: 'structural', algorithms: ['chacha20-poly1305'] })
  const options = { ...here, profile: 'small-messages', volume: { messageBytes: 64 } } as const
  it('takes the synchronous native one', async () => {
    const pick = await selectAead({
      ...options,
      backends: [subtle, node, script],
      evidence: evidence({ measurements: table }),
    })
    expect(pick.algorithm).toBe('aes-128-gcm')
    expect(pick.verdict.reasons.join()).toMatch(/µs/)
  })
  it('without it ChaCha20 in script, not the promise', async () => {
    const pick = await selectAead({
      ...options,
      backends: [subtle, script],
      evidence: evidence({ measurements: table }),
    })
    expect([pick.algorithm, pick.backend]).toEqual(['chacha20-poly1305', 'script'])
    expect(pick.verdict.rules).toContain('V21')
  })
})

describe('R10 a flag is only a prior', () => {
  it('197 against 1295: ChaCha20, measured', async () => {
    const pick = await selectAead({ ...here, backends: native, evidence: measured(197, 1295) })
    expect(pick.algorithm).toBe('chacha20-poly1305')
    expect(pick.verdict.reasons[0]).toMatch(/measured/)
  })
  it('4933 against 1300: AES-GCM, measured', async () => {
    const pick = await selectAead({ ...here, backends: native, evidence: measured(4933, 1300) })
    expect(pick.algorithm).toBe('aes-128-gcm')
    expect(pick.verdict.reasons[0]).toMatch(/measured/)
  })
  it('flag alone: AES-GCM, unmeasured', async () => {
    const pick = await selectAead({ ...here, backends: native, evidence: evidence({ source: 'flags' }) })
    expect(pick.algorithm).toBe('aes-128-gcm')
    expect(pick.verdict.reasons[0]).toMatch(/flag, unmeasured: AES yes, carry-less multiply yes/)
  })
  it('timings too close to tell: the flags decide, and nobody is told that nothing was measured', async () => {
    const pick = await selectAead({ ...here, backends: native, evidence: measured(1000, 1400) })
    expect(pick.algorithm).toBe('aes-128-gcm')
    expect(pick.verdict.reasons[0]).toMatch(
      /here: measured: too close to tell \(aes-128-gcm .* ratio 0\.71\): AES yes, carry-less multiply yes/,
    )
    expect(pick.verdict.reasons[0]).not.toMatch(/unmeasured/)
  })
})

describe('R11 never what a backend lacks', () => {
  const sodium = fake('sodium', {
    kind: 'wasm',
    level: 'structural',
    algorithms: ['chacha20-poly1305', 'xchacha20-poly1305', 'aegis-128l', 'aegis-256'],
  })
  it('chooses what it has', async () => {
    expect((await selectAead({ ...here, backends: [sodium], evidence: HARDWARE })).algorithm).toBe(
      'chacha20-poly1305',
    )
  })
  it('a named algorithm it lacks is a typed refusal', async () => {
    await expect(
      selectAead({ ...here, algorithm: 'aes-256-gcm', backends: [sodium], evidence: HARDWARE }),
    ).rejects.toMatchObject({ code: 'no-candidate', details: { rules: ['availability'] } })
  })
})

describe('R12, R13, R14 presence is proven by doing', () => {
  it('a backend that lists the cipher and fails is passed over by name; the other one is used and named', async () => {
    const listed = fake('listed', { broken: ['chacha20-poly1305'] })
    const script = fake('script', { kind: 'js', level: 'structural', algorithms: ['chacha20-poly1305'] })
    const pick = await selectAead({ nonce: 'counter', backends: [listed, script], evidence: HARDWARE })
    expect([pick.algorithm, pick.backend]).toEqual(['chacha20-poly1305', 'script'])
    expect(pick.toJSON().backend).toBe('script')
  })
})

describe('R15 FIPS requested and unusable', () => {
  it('refuses and names the provider', async () => {
    const state = evidence({}, 'requested-unusable')
    for (const fips of ['auto', 'module'] as const) {
      await expect(selectAead({ fips, backends: native, evidence: state })).rejects.toMatchObject({
        code: 'fips-unavailable',
        message: expect.stringMatching(/FIPS provider/),
      })
    }
  })
})

describe('R16 FIPS outranks speed', () => {
  it('AES-GCM without hardware, with a warning; ChaCha20 excluded', async () => {
    const slow = { ...measured(60, 500, false), aes: 'no', clmul: 'no' } as const
    const pick = await selectAead({
      fips: 'approved-algorithms',
      readers: 'here',
      backends: native,
      evidence: slow,
    })
    expect(pick.algorithm).toBe('aes-128-gcm')
    expect(pick.duties.find((duty) => duty.startsWith('slow-here'))).toMatch(/several times slower/)
    const chacha = pick.verdict.rejected.find(({ algorithm }) => algorithm === 'chacha20-poly1305')
    expect(chacha).toMatchObject({ rule: 'V2', reason: expect.stringMatching(/^excluded: FIPS/) })
  })
})

describe('R17 legacy ciphers', () => {
  it.each(['bf-cbc', 'rc4', 'des-ede3-cbc'])(
    '%s is an unknown algorithm and no backend is asked',
    async (algorithm) => {
      let asked = 0
      const backend = { ...fake('native'), probe: async () => ({ available: asked++ === 0 }) as never }
      await expect(
        selectAead({ algorithm: algorithm as never, backends: [backend as never], evidence: HARDWARE }),
      ).rejects.toMatchObject({ code: 'invalid-argument' })
      expect(asked).toBe(0)
    },
  )
})

describe('R36 commitment', () => {
  it('a duty wherever it is asked of a mode that does not commit', async () => {
    for (const algorithm of ['aes-256-gcm', 'chacha20-poly1305', 'xaes-256-gcm', 'aes-256-ocb'] as const) {
      const pick = await selectAead({
        algorithm,
        commitment: 'key',
        backends: native,
        evidence: HARDWARE,
        volume: { messages: 1000 },
      })
      expect(pick.duties.find((duty) => duty.startsWith('commitment'))).toMatch(/does not commit/)
    }
  })
})

describe('R38 no universal answer', () => {
  it.each([
    [413, 234, 'aes-128-gcm', /1\.7/],
    [70, 300, 'chacha20-poly1305', /0\.2/],
  ] as const)('gcm %d, chacha %d: %s, with the ratio', async (gcm, chacha, algorithm, ratio) => {
    const pick = await selectAead({ ...here, backends: native, evidence: measured(gcm, chacha) })
    expect(pick.algorithm).toBe(algorithm)
    expect(pick.verdict.reasons[0]).toMatch(ratio)
  })
  it('ssh advice follows the measurement', async () => {
    const advice = async (gcm: number, chacha: number) =>
      (
        await selectAead({
          context: 'ssh-client',
          readers: 'here',
          backends: native,
          evidence: measured(gcm, chacha),
        })
      ).advice
    expect((await advice(413, 234))?.order[0]).toBe('aes128-gcm@openssh.com')
    expect((await advice(70, 300))?.order[0]).toBe('chacha20-poly1305@openssh.com')
  })
})

describe('R40 constant time per backend and algorithm', () => {
  const script = fake('script', {
    kind: 'js',
    level: (id) => (id.includes('chacha') ? 'structural' : 'none'),
  })
  it('required excludes table AES', async () => {
    for (const algorithm of ALL.filter((id) => id.startsWith('aes-') && !id.includes('128-ccm'))) {
      const error = await selectAead({
        algorithm,
        readers: 'here',
        duplicatesVisible: true,
        backends: [script],
        evidence: NO_HARDWARE,
      }).catch((reason) => reason)
      expect(isAeadError(error, 'no-candidate'), algorithm).toBe(true)
      expect(error.details.rules).toContain('constant-time')
    }
  })
  it('and takes ChaCha20', async () => {
    const pick = await selectAead({ backends: [script], evidence: NO_HARDWARE })
    expect(pick.algorithm).toBe('xchacha20-poly1305')
    expect(isConstantTime(pick.backends[0]!.raw.claims(pick.params, NO_HARDWARE).constantTime.level)).toBe(
      true,
    )
  })
})
