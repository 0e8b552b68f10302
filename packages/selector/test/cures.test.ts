/** What a refusal advises can be followed: no list that binds excludes what the advice leads to. */
import { ALGORITHMS, type AlgorithmId, checkVolume, isAeadError } from '@aeadkit/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPTION_VALUES, type SelectOptions } from '../src/options.ts'
import type { Rejection } from '../src/policy/rule.ts'
import { selectAead } from '../src/select.ts'
import { ALL, ENFORCING, EVERYTHING, evidence, HARDWARE, MODULE, NO_HARDWARE, PI4, ZEN3 } from './fakes.ts'

/** Rules by which a list from outside excludes an algorithm. */
const LISTS: ReadonlySet<string> = new Set(['V2', 'V2b', 'V3', 'V4'])

/** A cure as it is worded, what it leads to, and the options of whoever follows it. */
interface Cure {
  readonly says: RegExp
  readonly leadsTo: readonly AlgorithmId[]
  readonly follow: SelectOptions
}

/** What one list or another leaves for any use. */
const LISTED = ['aes-128-gcm', 'aes-256-gcm', 'kuznyechik-mgm'] as const
const SIV = ALL.filter((id) => /siv/.test(id))
const CURES: readonly Cure[] = [
  {
    says: /24-byte nonce/,
    leadsTo: ['xchacha20-poly1305', 'xaes-256-gcm', 'aegis-256'],
    follow: { optIn: { aegis: true } },
  },
  {
    says: /optIn\.approvedComposition/,
    leadsTo: ['xaes-256-gcm'],
    follow: { optIn: { approvedComposition: true } },
  },
  {
    says: /optIn\.aegis/,
    leadsTo: ALL.filter((id) => id.startsWith('aegis')),
    follow: { optIn: { aegis: true } },
  },
  {
    says: /misuse-resistant mode, or|duplicatesVisible would/,
    leadsTo: SIV,
    follow: { duplicatesVisible: true },
  },
  { says: /constrained would/, leadsTo: ['ascon-aead128'], follow: { constrained: true } },
  {
    says: /rekey 'possible'|change the key earlier/,
    leadsTo: LISTED,
    follow: { rekey: 'possible' },
  },
  { says: /nonce 'counter'/, leadsTo: LISTED, follow: { nonce: 'counter' } },
  { says: /lease: 'per-seal'/, leadsTo: LISTED, follow: { lease: 'per-seal' } },
]

/** Names that a reason of a rule may have of its own algorithm alone, where a list binds that excludes the others. */
const NAMES: readonly (readonly [name: RegExp, of: RegExp])[] = [
  [/ChaCha20/i, /chacha/],
  [/XAES/i, /xaes/],
  [/SIV/, /siv/],
  [/AEGIS/i, /aegis/],
  [/Ascon/i, /ascon/],
  [/AES-CCM/i, /ccm/],
  [/Kuznyechik|Magma/i, /mgm/],
]

async function rejections(options: SelectOptions): Promise<readonly Rejection[]> {
  const given = { backends: EVERYTHING, evidence: HARDWARE, ...options } as Parameters<typeof selectAead>[0]
  try {
    return (await selectAead(given)).verdict.rejected
  } catch (error) {
    if (!isAeadError(error)) throw error
    return (error.details?.rejected as readonly Rejection[] | undefined) ?? []
  }
}

/** Whether a list excludes the algorithm for whoever follows the cure; asked by name, so that nothing is ranked. */
async function excluded(
  options: SelectOptions,
  follow: SelectOptions,
  algorithm: AlgorithmId,
): Promise<boolean> {
  const optIn = { ...options.optIn, ...follow.optIn }
  const all = await rejections({ ...options, ...follow, optIn, algorithm })
  return all.some((one) => one.algorithm === algorithm && LISTS.has(one.rule))
}

/** Whether one of what the cure leads to is left. */
async function leads(options: SelectOptions, { follow, leadsTo }: Cure): Promise<boolean> {
  for (const id of leadsTo) if (!(await excluded(options, follow, id))) return true
  return false
}

const options: fc.Arbitrary<SelectOptions> = fc.record(
  {
    algorithm: fc.option(fc.constantFrom(...ALL), { nil: undefined }),
    readers: fc.constantFrom('here', 'anywhere', [ZEN3], [PI4]),
    nonce: fc.constantFrom(...OPTION_VALUES.nonce),
    volume: fc.record({
      messages: fc.constantFrom(1, 2 ** 21, 2n ** 33n, 2n ** 60n),
      messageBytes: fc.constantFrom(64, 65_536),
    }),
    rekey: fc.constantFrom(...OPTION_VALUES.rekey),
    fips: fc.constantFrom('off', 'approved-algorithms', 'module'),
    regulation: fc.constantFrom<('gost' | 'cnsa')[]>([], ['gost'], ['cnsa'], ['cnsa']),
    keyBits: fc.constantFrom(undefined, 256),
    wholeMessage: fc.boolean(),
    duplicatesVisible: fc.boolean(),
    constrained: fc.boolean(),
    optIn: fc.record({ approvedComposition: fc.boolean(), aegis: fc.boolean() }),
    lease: fc.constantFrom(undefined, 'per-seal'),
  },
  { requiredKeys: ['fips', 'regulation', 'volume'] },
) as fc.Arbitrary<SelectOptions>

describe('the cure of a refusal', () => {
  it('is not what a list from outside excludes', { timeout: 60_000 }, async () => {
    const met = new Map<Cure, number>()
    await fc.assert(
      fc.asyncProperty(options, async (asked) => {
        const module = asked.fips === 'module'
        const given = {
          ...asked,
          backends: module ? MODULE : EVERYTHING,
          evidence: module ? ENFORCING : HARDWARE,
        }
        const bound = asked.fips !== 'off' || (asked.regulation?.length ?? 0) > 0
        const followed = new Map<Cure, boolean>()
        for (const { algorithm, reason, rule } of await rejections(given)) {
          for (const cure of CURES) {
            if (!cure.says.test(reason)) continue
            met.set(cure, (met.get(cure) ?? 0) + 1)
            // The same for every reason that says it.
            const ends = followed.get(cure) ?? (await leads(given, cure))
            followed.set(cure, ends)
            expect(ends, `${algorithm}: ${rule}: ${reason}`).toBe(true)
          }
          if (!bound || LISTS.has(rule) || CURES.some(({ says }) => says.test(reason))) continue
          for (const [name, of] of NAMES) {
            if (name.test(reason)) expect(algorithm, `${rule}: ${reason}`).toMatch(of)
          }
        }
      }),
      { numRuns: 300, seed: 20_261_130 },
    )
    for (const cure of CURES) expect(met.get(cure) ?? 0, String(cure.says)).toBeGreaterThan(0)
  })

  it.each<[string, SelectOptions, rule: string, says: RegExp, never: RegExp]>([
    [
      'CNSA past what 96 random bits allow',
      { regulation: ['cnsa'], volume: { messages: 2 ** 21 } },
      'V15',
      /change the key earlier \(rekey 'possible'\), or count the nonces \(nonce 'counter'\)/,
      /24-byte/,
    ],
    [
      'GOST past what 96 random bits allow',
      { regulation: ['gost'], volume: { messages: 2 ** 37, messageBytes: 64 } },
      'V15',
      /change the key earlier \(rekey 'possible'\), or count the nonces \(nonce 'counter'\)/,
      /24-byte/,
    ],
    [
      'FIPS',
      { fips: 'approved-algorithms', volume: { messages: 2n ** 33n, messageBytes: 64 } },
      'V2a',
      /nonce 'counter', or optIn\.approvedComposition for XAES-256-GCM/,
      /24-byte|ChaCha/,
    ],
    [
      'FIPS with CNSA',
      {
        fips: 'approved-algorithms',
        regulation: ['cnsa'],
        volume: { messages: 2n ** 33n, messageBytes: 64 },
      },
      'V2a',
      /use rekey 'possible' to split keys, or nonce 'counter'$/,
      /XAES|approvedComposition/,
    ],
    [
      'snapshots under CNSA',
      { regulation: ['cnsa'], nonce: 'snapshot-risk' },
      'V13',
      /: give one external lease per seal \(lease: 'per-seal'\)$/,
      /misuse-resistant|duplicatesVisible/,
    ],
    [
      'snapshots under FIPS',
      { fips: 'approved-algorithms', nonce: 'snapshot-risk' },
      'V2b',
      /lease: 'per-seal'/,
      /duplicatesVisible/,
    ],
  ])('%s', async (_, asked, rule, says, never) => {
    const given = { ...asked, backends: EVERYTHING, evidence: NO_HARDWARE } as Parameters<
      typeof selectAead
    >[0]
    const error = await selectAead(given).catch((one) => one)
    expect(error.code).toBe('no-candidate')
    expect(error.details.rules).toContain(rule)
    expect(error.message).toMatch(says)
    expect(error.message).not.toMatch(never)
    // What it says works.
    const follow = /lease/.test(says.source) ? { lease: 'per-seal' as const } : { nonce: 'counter' as const }
    const volume = { messages: 2, messageBytes: 64, failedOpens: 1 }
    expect((await selectAead({ ...given, ...follow, volume })).algorithm).not.toBeNull()
  })

  it('without a list the long nonce is advised, and the two profiles fit every list', async () => {
    const base = { backends: EVERYTHING, evidence: evidence() }
    const error = await selectAead({
      ...base,
      algorithm: 'aes-128-gcm',
      volume: { messages: 2 ** 21 },
    }).catch((e) => e)
    expect(error.message).toMatch(/take an algorithm with a 24-byte nonce$/)
    for (const [asked, algorithm] of [
      [{ fips: 'approved-algorithms', regulation: ['cnsa'] }, 'aes-256-gcm'],
      [{ fips: 'approved-algorithms', keyBits: 256 }, 'aes-256-gcm'],
      [{ fips: 'approved-algorithms' }, 'aes-128-gcm'],
    ] as const) {
      const tunnel = await selectAead({ ...base, ...asked, context: 'wireguard' } as never).catch((e) => e)
      expect(tunnel.details.profiles[1]).toEqual({ for: 'fips140-3', algorithm })
    }
    const both = { ...base, fips: 'approved-algorithms', regulation: ['gost'], keyBits: 256 } as const
    expect((await selectAead(both).catch((e) => e)).details.profiles[0].algorithm).toBe('aes-256-gcm')
  })

  it('the limits of core advise nothing that FIPS excludes', () => {
    const volume = { messages: 2n ** 33n, messageBytes: 64n, aadBytes: 0n, failedOpens: 1n }
    const said = (fips: boolean): string => {
      const options = { target: -57, nonceTarget: -57, nonce: 'random', fips } as const
      return checkVolume(ALGORITHMS['aes-256-gcm'], volume, options)
        .map(({ message }) => message)
        .join('\n')
    }
    expect(said(false)).toMatch(/take an algorithm with 24-byte nonces/)
    expect(said(true)).not.toMatch(/24-byte|chacha|xaes/i)
    expect(said(true)).toMatch(/count the nonces, or change the key earlier/)
  })
})
