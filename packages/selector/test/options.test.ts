import { type AeadError, isAeadError } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { OPTION_NAMES, type SelectOptions } from '../src/options.ts'
import { resolveOptions } from '../src/resolve.ts'
import type { WithBackends } from '../src/select.ts'
import { selectAead } from '../src/select.ts'
import { EVERYTHING, fake, HARDWARE } from './fakes.ts'

const BAD: readonly (readonly [what: string, options: Record<string, unknown>, message: RegExp])[] = [
  ['unknown option', { reader: 'here' }, /unknown option reader.*readers/],
  ['unknown option in another case', { constanttime: 'required' }, /constantTime/],
  ['unknown nested option', { volume: { message: 1 } }, /volume: unknown option message.*messages/],
  ['unknown permission', { optIn: { aegiss: true } }, /optIn: unknown option aegiss.*aegis/],
  ['unknown algorithm', { algorithm: 'aes-256-gmc' }, /did you mean aes-256-gcm/],
  ['legacy cipher', { algorithm: 'bf-cbc' }, /algorithm takes one of/],
  ['unknown context', { context: 'tls-servr' }, /did you mean tls-server/],
  ['unknown readers', { readers: 'everywhere' }, /readers takes one of here, anywhere/],
  ['no readers', { readers: [] }, /or 1 to 10000 hardware reports, got a list of 0/],
  ['reader without flags', { readers: [{ name: 'x' }] }, /readers\[0\]\.aes/],
  ['reader with a wrong flag', { readers: [{ name: 'x', aes: 'yess', clmul: 'no' }] }, /did you mean yes/],
  ['reader with an unknown field', { readers: [{ name: 'x', aes: 'yes', clmull: 'no' }] }, /clmul/],
  ['lifetime', { lifetime: 'forever' }, /lifetime takes one of frozen, negotiated/],
  ['nonce', { nonce: 'counters' }, /did you mean counter/],
  [
    'NaN messages',
    { volume: { messages: Number.NaN } },
    /volume\.messages takes a whole number of at least 1.*NaN/,
  ],
  ['negative messages', { volume: { messages: -1 } }, /got -1/],
  ['no messages', { volume: { messages: 0 } }, /at least 1/],
  ['negative bigint', { volume: { messageBytes: -1n } }, /got -1$/],
  ['fraction', { volume: { messageBytes: 1.5 } }, /got 1\.5/],
  ['infinite', { volume: { failedOpens: Number.POSITIVE_INFINITY } }, /got Infinity/],
  ['text for a number', { volume: { messages: '5' } }, /got "5"/],
  ['volume as a number', { volume: 5 }, /volume: expected { messages, .*}, got number/],
  ['rekey', { rekey: true }, /rekey takes one of possible, impossible, got true/],
  ['target as a positive number', { target: 57 }, /target takes a whole number from -128 to -1, got 57/],
  ['fractional target', { target: -57.5 }, /-57\.5/],
  ['text target', { target: '-57' }, /got "-57"/],
  ['NaN nonceTarget', { nonceTarget: Number.NaN }, /nonceTarget/],
  ['fips', { fips: 'modul' }, /did you mean module/],
  ['fips as a boolean', { fips: true }, /fips takes one of/],
  ['regulation as text', { regulation: 'gost' }, /regulation takes a list of gost, cnsa/],
  ['unknown regulation', { regulation: ['fips'] }, /regulation takes one of gost, cnsa/],
  ['keyBits', { keyBits: 192 }, /keyBits takes one of 128, 256, got 192/],
  ['profile', { profile: 'small-message' }, /did you mean small-messages/],
  ['wholeMessage', { wholeMessage: 'yes' }, /wholeMessage takes true or false/],
  ['commitment', { commitment: true }, /commitment takes one of/],
  ['constrained', { constrained: 1 }, /constrained takes true or false/],
  ['optIn', { optIn: { aegis: 'yes' } }, /optIn\.aegis takes true or false/],
  ['lease', { lease: true }, /lease takes one of per-seal/],
  ['constantTime', { constantTime: 'require' }, /did you mean required/],
  ['sync', { sync: 'no' }, /sync takes true or false/],
  ['measure', { measure: 'allways' }, /did you mean always/],
  ['allowSpawn', { allowSpawn: 'yes' as never }, /allowSpawn/],
  ['host', { host: {} as never }, /host takes a description of a platform/],
  ['measureBudgetMs', { measureBudgetMs: -1 }, /measureBudgetMs/],
  ['signal', { signal: {} }, /signal takes an AbortSignal/],
  ['measurementCache', { measurementCache: {} }, /get\(key\) and set/],
  ['certificate', { certificate: 4282 }, /certificate takes a string/],
  ['backends missing', { backends: undefined }, /backends takes a list of at least one backend/],
  ['backends empty', { backends: [] }, /at least one backend/],
  ['backend of another kind', { backends: [{ name: 'x' }] }, /backends\[0\]/],
  ['backend twice', { backends: [fake('a'), fake('a')] }, /a is given twice/],
  ['evidence of another shape', { evidence: {} }, /evidence\.aes/],
  [
    'evidence with a wrong state',
    { evidence: { ...HARDWARE, fips: { state: 'on' } } },
    /evidence\.fips\.state/,
  ],
]

describe('bad options', () => {
  it.each(BAD)('%s', async (_, options, message) => {
    const error: AeadError = await selectAead({
      backends: EVERYTHING,
      evidence: HARDWARE,
      ...options,
    } as SelectOptions & WithBackends).then(
      (pick) => {
        throw new Error(`accepted: ${pick.algorithm}`)
      },
      (reason) => reason,
    )
    expect(isAeadError(error, 'invalid-argument'), String(error)).toBe(true)
    expect(error.message).toMatch(message)
  })
  it('backends are required, and the types say so', async () => {
    // @ts-expect-error without backends
    await expect(selectAead({ readers: 'here' })).rejects.toThrow(
      /backends takes a list of at least one backend/,
    )
  })
  it('refuses options that are no object', async () => {
    for (const options of [null, 5, 'here', []]) {
      await expect(selectAead(options as never)).rejects.toMatchObject({
        code: 'invalid-argument',
      })
    }
  })
})

describe('resolveOptions', () => {
  const backends = EVERYTHING
  it('fills in the documented defaults', () => {
    expect(resolveOptions({ backends })).toEqual({
      algorithm: undefined,
      context: 'own-protocol',
      readers: 'anywhere',
      lifetime: 'frozen',
      nonce: 'random',
      volume: { messages: 2n ** 20n, messageBytes: 16_384n, aadBytes: 0n, failedOpens: 2n ** 20n },
      sized: false,
      rekey: 'impossible',
      target: -57,
      nonceTarget: -57,
      fips: 'off',
      fipsAsked: 'auto',
      regulation: [],
      keyBits: undefined,
      profile: 'throughput',
      wholeMessage: true,
      duplicatesVisible: false,
      commitment: 'none',
      constrained: false,
      optIn: { aegis: false, approvedComposition: false },
      lease: undefined,
      constantTime: 'required',
      sync: false,
    })
  })
  it('lifetime follows readers', () => {
    expect(resolveOptions({ backends, readers: 'here' }).lifetime).toBe('negotiated')
    expect(resolveOptions({ backends, readers: [{ name: 'a', aes: 'yes', clmul: 'yes' }] }).lifetime).toBe(
      'negotiated',
    )
    expect(resolveOptions({ backends, readers: 'here', lifetime: 'frozen' }).lifetime).toBe('frozen')
  })
  it('nonceTarget follows target, and FIPS', () => {
    expect(resolveOptions({ backends, target: -40 }).nonceTarget).toBe(-40)
    expect(resolveOptions({ backends, target: -40, fips: 'approved-algorithms' }).nonceTarget).toBe(-32)
    expect(resolveOptions({ backends, fips: 'module', nonceTarget: -50 }).nonceTarget).toBe(-50)
  })
  it.each([
    ['off', 'off'],
    ['unknown', 'off'],
    ['enforcing', 'module'],
    ['requested-unusable', 'module'],
  ] as const)('fips auto under state %s is %s', (state, fips) => {
    const resolved = resolveOptions({ backends }, state)
    expect(resolved.fips).toBe(fips)
    expect(resolved.constantTime).toBe(fips === 'off' ? 'required' : 'preferred')
    expect(resolveOptions({ backends, fips: 'off' }, state).fips).toBe('off')
  })
  it('takes bigints and large whole numbers', () => {
    const { volume } = resolveOptions({ backends, volume: { messages: 2 ** 60, messageBytes: 64n } })
    expect(volume.messages).toBe(2n ** 60n)
    expect(volume.messageBytes).toBe(64n)
  })
  it('names every option once', () => {
    expect(new Set(OPTION_NAMES).size).toBe(OPTION_NAMES.length)
    expect(OPTION_NAMES.length).toBe(30)
  })
})
