import {
  type AeadError,
  ALGORITHMS,
  type AlgorithmId,
  createMeter,
  createSealer,
  generateKey,
} from '@aeadkit/core'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { explain, explainLimits } from '../src/explain.ts'
import { restoreSelection } from '../src/restore.ts'
import { selectAead } from '../src/select.ts'
import type { AnySelection, Selection } from '../src/selection.ts'
import type { SelectionJson } from '../src/selection-json.ts'
import { fakeCrypto, fakeHost } from './fake-host.ts'
import { ENFORCING, EVERYTHING, evidence, HARDWARE, MODULE, NO_HARDWARE, timing } from './fakes.ts'
import { nativeBackend } from './native-backend.mjs'

const real = nativeBackend()
const inside = nativeBackend('native', ['aes-128-gcm', 'aes-256-gcm'], { fipsModule: 'enforcing' })
const message = new TextEncoder().encode('the message')
const field = new Uint8Array(4)

function refusal(promise: Promise<unknown>): Promise<AeadError> {
  return promise.then(
    () => {
      throw new Error('was not refused')
    },
    (error) => error,
  )
}

describe('types', () => {
  it('an algorithm always, except for protocols', () => {
    expectTypeOf(selectAead({ backends: EVERYTHING })).resolves.toEqualTypeOf<Selection>()
    expectTypeOf(
      selectAead({ backends: EVERYTHING, context: 'envelope' }),
    ).resolves.toEqualTypeOf<Selection>()
    expectTypeOf(
      selectAead({ backends: EVERYTHING, context: 'tls-server' }),
    ).resolves.toEqualTypeOf<AnySelection>()
  })
})

describe('createSealer', () => {
  it('random: round trip, and the key belongs to the algorithm', async () => {
    const pick = await selectAead({ backends: [real], evidence: HARDWARE, readers: 'here' })
    expect(pick.algorithm).toBe('aes-128-gcm')
    const key = pick.generateKey()
    const sealer = await pick.createSealer(key)
    expect(await sealer.decrypt(await sealer.encrypt(message))).toEqual(message)
    const other = await refusal(pick.createSealer(generateKey('aes-256-gcm')))
    expect(other.code).toBe('invalid-argument')
    expect(other.message).toMatch(/for aes-128-gcm, the key is for aes-256-gcm/)
  })

  it('unknown options are refused with the nearest name', async () => {
    const pick = await selectAead({ backends: [real], evidence: HARDWARE })
    const error = await refusal(pick.createSealer(pick.generateKey(), { nonce: 'random' } as object))
    expect(error.message).toMatch(/nonce.*nonces/)
  })

  it('counter: needs a start, except for a key that never leaves', async () => {
    const pick = await selectAead({ backends: [real], evidence: HARDWARE, readers: 'here', nonce: 'counter' })
    const key = pick.generateKey()
    const error = await refusal(pick.createSealer(key))
    expect(error.code).toBe('invalid-argument')
    expect(error.message).toMatch(/fixedField, start/)
    const sealer = await pick.createSealer(key, { nonces: { kind: 'counter', fixedField: field, start: 7 } })
    const box = await sealer.encrypt(message)
    expect(sealer.usage.nextCounter).toBe(8n)
    expect(await sealer.decrypt(box)).toEqual(message)
    const own = await pick.createSealer('aes-128-gcm')
    expect(await own.decrypt(await own.encrypt(message))).toEqual(message)
  })

  it('a counter selection does not take random nonces', async () => {
    const pick = await selectAead({ backends: [real], evidence: HARDWARE, readers: 'here', nonce: 'counter' })
    const error = await refusal(pick.createSealer(pick.generateKey(), { nonces: 'random' }))
    expect(error.message).toMatch(/select again with nonce 'random'/)
  })

  it('leased, and a lease per seal: only leases, one each', async () => {
    for (const options of [{ nonce: 'leased' }, { nonce: 'snapshot-risk', lease: 'per-seal' }] as const) {
      const pick = await selectAead({ backends: [real], evidence: HARDWARE, readers: 'here', ...options })
      const key = pick.generateKey()
      for (const nonces of [
        undefined,
        'random',
        'counter',
        { kind: 'counter', fixedField: field, start: 0 },
      ] as const) {
        expect((await refusal(pick.createSealer(key, { nonces }))).code).toBe('invalid-argument')
      }
      let next = 0n
      const sealer = await pick.createSealer(key, {
        nonces: { kind: 'leased', fixedField: field, lease: () => next++ },
      })
      await sealer.encrypt(message)
      await sealer.encrypt(message)
      expect(next).toBe(2n)
    }
  })

  it('the meter has the targets of the selection, and is shared by its sealers', async () => {
    const pick = await selectAead({
      backends: [real],
      evidence: HARDWARE,
      readers: 'here',
      target: -96,
      volume: { messages: 1, messageBytes: 16, failedOpens: 1 },
    })
    const key = pick.generateKey()
    const [one, two] = [await pick.createSealer(key), await pick.createSealer(key)]
    await one.encrypt(message)
    expect(two.usage).toEqual(one.usage)
    const own = createMeter({ maxMessages: 1 })
    const capped = await pick.createSealer(pick.generateKey(), { meter: own })
    await capped.encrypt(message)
    expect((await refusal(capped.encrypt(message))).code).toBe('key-exhausted')
    // 2^-96 for 96 random bits allows no second message.
    expect((await refusal(Promise.resolve().then(() => one.encrypt(message)))).code).toBe('key-exhausted')
  })

  it('bare format', async () => {
    const pick = await selectAead({ backends: [real], evidence: HARDWARE, readers: 'here' })
    const sealer = await pick.createSealer(pick.generateKey(), { format: 'bare' })
    expect((await sealer.encrypt(message)).length).toBe(12 + message.length + 16)
  })

  it('a pair of backends serves one key', async () => {
    const small = nativeBackend('small')
    const large = nativeBackend('large')
    const measured = (backend: string, call: number, perByte: number) =>
      [64, 1024, 16_384, 65_536].map((bytes) => ({
        backend,
        algorithm: 'aes-128-gcm' as const,
        operation: 'seal' as const,
        bytes,
        nanoseconds: call + perByte * bytes,
      }))
    const pick = await selectAead({
      backends: [small, large],
      readers: 'here',
      profile: 'small-messages',
      evidence: evidence({ measurements: [...measured('small', 100, 4), ...measured('large', 2000, 1)] }),
    })
    if (typeof pick.backend === 'object') {
      expect(pick.backend.small).toBe('small')
      expect(pick.backend.large).toBe('large')
      expect(pick.backend.crossoverBytes).toBeGreaterThan(256)
    }
    expect(pick.backend).toMatchObject({ small: 'small', large: 'large' })
    const sealer = await pick.createSealer(pick.generateKey())
    for (const bytes of [0, 64, 634, 20_000]) {
      const plaintext = new Uint8Array(bytes).fill(7)
      expect(await sealer.decrypt(await sealer.encrypt(plaintext))).toEqual(plaintext)
    }
    const again = await restoreSelection(JSON.stringify(pick), {
      backends: [large, small],
      evidence: HARDWARE,
    })
    expect(again.backend).toEqual(pick.backend)
    const alone = await restoreSelection(JSON.stringify(pick), { backends: [large], evidence: HARDWARE })
    expect(alone.backend).toBe('large')
  })
})

describe('the class in an explanation', () => {
  const measured = (source: string) =>
    evidence({ items: [{ name: 'measure.timings', value: '34', source, certainty: 'observed' }] })
  it.each([
    ['timed in this process, in 40 ms', measured('timed in this process, in 40 ms')],
    ['timed now: 0, from the cache: 34', measured('timed now: 0, from the cache: 34')],
  ])('says how old its timings can be: %s', async (source, seen) => {
    const { facts } = explain(await selectAead({ backends: [real], evidence: seen, readers: 'here' }))
    expect(facts.find((line) => line.includes('class'))).toContain(`class hardware (measured, ${source})`)
    expect(facts.join()).not.toMatch(/seen now/)
  })
})

describe('fips module', () => {
  const crypto = fakeCrypto({ fips: 1, 'chacha20-poly1305': false, md5: false })
  const host = fakeHost({ crypto })
  const options = { backends: [inside], evidence: ENFORCING, host, fips: 'module' } as const

  it('evidence that was brought does not vouch for the module of this process', async () => {
    const pick = await selectAead({ ...options, host: undefined })
    const restored = await restoreSelection(pick.toJSON(), { backends: [inside], evidence: ENFORCING })
    for (const one of [pick, restored]) {
      expect((await refusal(one.createAead(new Uint8Array(16)))).code).toBe('fips-unavailable')
      expect((await refusal(one.createSealer(one.generateKey()))).code).toBe('fips-unavailable')
    }
    const here = await restoreSelection(pick.toJSON(), { backends: [inside], host })
    expect((await here.createAead(new Uint8Array(16))).guarantees.fips.module).toBe('enforcing')
  })

  it('the sealer makes the IV; a nonce of the caller only opens', async () => {
    const pick = await selectAead(options)
    expect(pick.algorithm).toBe('aes-128-gcm')
    const aead = await pick.createAead(new Uint8Array(16))
    const error = await refusal(aead.seal(new Uint8Array(12), message))
    expect(error.code).toBe('unsupported')
    expect(error.message).toMatch(/createSealer/)
    const sealed = await (
      await (
        await selectAead({ backends: [inside], evidence: HARDWARE, algorithm: 'aes-128-gcm' })
      ).createAead(new Uint8Array(16))
    ).seal(new Uint8Array(12), message)
    expect(await aead.open(new Uint8Array(12), sealed)).toEqual(message)
    const sealer = await pick.createSealer(pick.generateKey())
    expect(await sealer.decrypt(await sealer.encrypt(message))).toEqual(message)
    expect(pick.toJSON().duties.some((duty) => duty.startsWith('ivSource: external:'))).toBe(true)
  })

  it('many writers: a fixed field each', async () => {
    const pick = await selectAead({ ...options, nonce: 'many-writers' })
    const key = pick.generateKey()
    for (const nonces of [undefined, 'random', 'counter'] as const) {
      expect((await refusal(pick.createSealer(key, { nonces }))).code).toBe('invalid-argument')
    }
    const sealer = await pick.createSealer(key, { nonces: { kind: 'counter', fixedField: field, start: 0 } })
    expect(await sealer.decrypt(await sealer.encrypt(message))).toEqual(message)
  })

  it('never a pair, whatever was measured', async () => {
    const second = nativeBackend('second', ['aes-128-gcm'], { fipsModule: 'enforcing' })
    const pick = await selectAead({
      ...options,
      backends: [inside, second],
      evidence: evidence(
        {
          measurements: [
            timing('native', 'aes-128-gcm', 64, 100),
            timing('native', 'aes-128-gcm', 65_536, 200),
            timing('second', 'aes-128-gcm', 64, 1),
            timing('second', 'aes-128-gcm', 65_536, 4000),
          ],
        },
        'enforcing',
      ),
    })
    expect(typeof pick.backend).toBe('string')
  })

  it.each(['off', 'unknown', 'requested-unusable'] as const)(
    'state %s: fips-unavailable, naming the provider',
    async (state) => {
      const error = await refusal(selectAead({ ...options, evidence: evidence({}, state) }))
      expect(error.code).toBe('fips-unavailable')
      expect(error.message).toMatch(/FIPS provider \("fips"\)/)
      expect(error.message).toContain(`observed state: ${state}`)
      expect(error.details).toMatchObject({ state })
    },
  )

  it('passes the certificate of the operator through', async () => {
    const stated = evidence({ fips: { ...ENFORCING.fips, certificate: '#0000' } })
    const pick = await selectAead({ ...options, evidence: stated })
    expect(pick.duties.find((duty) => duty.startsWith('module-certificate'))).toMatch(
      /as stated by the operator: #0000/,
    )
    expect(pick.toJSON().evidence.fips.certificate).toBe('#0000')
  })

  it('without evidence given it looks for itself, and this process is not enforcing', async () => {
    const error = await refusal(selectAead({ backends: [inside], fips: 'module', measure: 'never' }))
    expect(error.code).toBe('fips-unavailable')
  })
})

describe('protocol contexts', () => {
  it('create nothing', async () => {
    const pick = await selectAead({ backends: EVERYTHING, evidence: HARDWARE, context: 'tls-server' })
    expect(pick.algorithm).toBeNull()
    expect((await refusal(pick.createSealer(generateKey('aes-128-gcm')))).code).toBe('unsupported')
    expect((await refusal(pick.createAead(new Uint8Array(16)))).code).toBe('unsupported')
    expect(() => pick.generateKey()).toThrow(/tls-server encrypts itself \(V6\)/)
    const json = pick.toJSON()
    expect(json).toMatchObject({
      algorithm: null,
      backend: null,
      limits: null,
      verdict: { class: 'protocol' },
    })
    expect(json.verdict.advice?.settings.map(({ program }) => program)).toEqual(['nginx', 'node'])
    expect((await refusal(restoreSelection(json, { backends: EVERYTHING, evidence: HARDWARE }))).code).toBe(
      'unsupported',
    )
  })
})

describe('JSON', () => {
  it('has the documented shape', async () => {
    const pick = await selectAead({
      backends: EVERYTHING,
      evidence: HARDWARE,
      readers: 'here',
      nonce: 'counter',
      rekey: 'possible',
      volume: { messages: 2n ** 40n, messageBytes: 65_536 },
    })
    const json = JSON.parse(JSON.stringify(pick)) as SelectionJson
    expect(Object.keys(json).sort()).toEqual([
      'algorithm',
      'backend',
      'duties',
      'evidence',
      'inputs',
      'limits',
      'verdict',
    ])
    expect(json.algorithm).toBe('aes-128-gcm')
    expect(json.backend).toBe('native')
    expect(json.limits).toEqual({
      messages: '16773120',
      failedOpens: expect.stringMatching(/^\d+$/),
      bindingBound: 'confidentiality',
      rekeyAfterMessages: '16773120',
      basis: 'formula',
      targetShown: true,
    })
    expect(json.verdict).toMatchObject({ class: 'hardware-aes', rules: ['V18'], asOf: '2026-11-30' })
    for (const one of json.verdict.rejected) {
      expect(Object.keys(one).sort()).toEqual(['algorithm', 'reason', 'rule'])
      expect(one.reason.length).toBeGreaterThan(10)
    }
    expect(json.evidence).toMatchObject({
      aes: 'yes',
      clmul: 'yes',
      source: 'measured',
      fips: { state: 'off' },
      measurements: [],
    })
    expect(json.duties.every((duty) => /^[a-zA-Z-]+: ./.test(duty))).toBe(true)
    expect(json.inputs).toMatchObject({ nonce: 'counter', volume: { messages: '1099511627776' } })
  })

  it('no limit is null', async () => {
    const pick = await selectAead({ backends: EVERYTHING, evidence: HARDWARE, nonce: 'counter' })
    expect(pick.toJSON().limits).toMatchObject({
      bindingBound: 'none',
      rekeyAfterMessages: null,
      basis: 'formula',
    })
  })

  it('the same inputs give the same output', async () => {
    const options = { backends: EVERYTHING, evidence: HARDWARE, nonce: 'many-writers' } as const
    expect(JSON.stringify(await selectAead(options))).toBe(JSON.stringify(await selectAead(options)))
  })
})

describe('restoreSelection', () => {
  const select = () => selectAead({ backends: [real], evidence: HARDWARE, readers: 'here' })

  it('gives the same algorithm where another would be chosen, and opens old data', async () => {
    const pick = await select()
    const key = pick.generateKey()
    const box = await (await pick.createSealer(key)).encrypt(message)
    const elsewhere = await restoreSelection(JSON.stringify(pick), {
      backends: [nativeBackend('other', ['chacha20-poly1305', 'aes-128-gcm'])],
      evidence: NO_HARDWARE,
    })
    expect(elsewhere.algorithm).toBe('aes-128-gcm')
    expect(elsewhere.backend).toBe('other')
    expect(elsewhere.verdict).toEqual(pick.toJSON().verdict)
    expect(elsewhere.evidence).toBe(NO_HARDWARE)
    const sealer = await elsewhere.createSealer(key)
    expect(await sealer.decrypt(box)).toEqual(message)
    await sealer.encrypt(message)
  })

  it('measures nothing', async () => {
    const pick = await select()
    const here = await restoreSelection(pick.toJSON(), { backends: [real] })
    expect(here.evidence.measurements).toEqual([])
  })

  it('weaker backends open; sealing needs constantTime preferred', async () => {
    const pick = await select()
    const key = pick.generateKey()
    const box = await (await pick.createSealer(key)).encrypt(message)
    const weak = nativeBackend('weak', ['aes-128-gcm'], { kind: 'js', level: 'none' })
    const opened = await restoreSelection(pick.toJSON(), { backends: [weak], evidence: HARDWARE })
    expect(opened.duties[0]).toMatch(/^constant-time-not-met: .*weak: none/)
    const sealer = await opened.createSealer(key)
    expect(await sealer.decrypt(box)).toEqual(message)
    expect((await refusal(sealer.encrypt(message))).code).toBe('unsupported')
    expect(
      (await refusal((await opened.createAead(new Uint8Array(16))).seal(new Uint8Array(12), message))).code,
    ).toBe('unsupported')
    const preferred = await restoreSelection(pick.toJSON(), {
      backends: [weak],
      evidence: HARDWARE,
      constantTime: 'preferred',
    })
    expect(preferred.duties[0]).toMatch(/^constant-time-not-met:/)
    const both = await preferred.createSealer(key)
    expect(await both.decrypt(await both.encrypt(message))).toEqual(message)
    const strong = await restoreSelection(pick.toJSON(), { backends: [weak, real], evidence: HARDWARE })
    expect(strong.backend).toBe('native')
    expect(strong.duties.some((duty) => duty.startsWith('constant-time'))).toBe(false)
  })

  it('a list from outside outranks constant time here too', async () => {
    const weak = nativeBackend('weak', ['aes-128-gcm'], { kind: 'js', level: 'none' })
    const pick = await selectAead({
      backends: [weak],
      evidence: HARDWARE,
      fips: 'approved-algorithms',
      constantTime: 'required',
    })
    const again = await restoreSelection(pick.toJSON(), { backends: [weak], evidence: HARDWARE })
    for (const one of [pick, again]) {
      expect(one.duties.some((duty) => duty.startsWith('constant-time-not-met:'))).toBe(true)
      const sealer = await one.createSealer(one.generateKey())
      expect(await sealer.decrypt(await sealer.encrypt(message))).toEqual(message)
    }
  })

  it('keeps the nonce regime and the limits', async () => {
    const pick = await selectAead({
      backends: [real],
      evidence: HARDWARE,
      readers: 'here',
      nonce: 'counter',
      target: -50,
    })
    const again = await restoreSelection(JSON.stringify(pick), { backends: [real], evidence: HARDWARE })
    expect(again.inputs).toEqual(pick.inputs)
    expect(again.limits).toEqual(pick.limits)
    expect(JSON.stringify(again)).toBe(JSON.stringify(pick))
    expect((await refusal(again.createSealer(again.generateKey(), { nonces: 'random' }))).code).toBe(
      'invalid-argument',
    )
  })

  it('a pair whose small half ends before the crossover here is placed anew', async () => {
    const pick = await selectAead({ backends: [real], evidence: HARDWARE, nonce: 'counter' })
    const stored = { ...pick.toJSON(), backend: { small: 'a', large: 'b', crossoverBytes: 2 ** 40 } }
    const [a, b] = [nativeBackend('a'), nativeBackend('b')]
    const again = await restoreSelection(stored, { backends: [a, b], evidence: HARDWARE })
    expect([again.algorithm, again.backend]).toEqual([pick.algorithm, 'a'])
  })

  it('names with line ends or escapes of a terminal are refused, and quoted in the refusal', async () => {
    for (const name of ['a\nb', '\u001b[31mred', 'a\u009bb', 'x'.repeat(201)]) {
      const readers = [{ name, aes: 'yes', clmul: 'yes' }] as const
      const error = await refusal(selectAead({ backends: [real], readers, evidence: HARDWARE }))
      expect(error.code).toBe('invalid-argument')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(error.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    }
    const slip = await refusal(selectAead({ backends: [real], context: 'tls\n\u001b[2J' as never }))
    expect(slip.message).toContain('got "tls\\n\\u001b[2J"')
  })

  it('a stored verdict has a day, and given evidence has texts that can be told', async () => {
    const pick = await selectAead({ backends: [real], evidence: HARDWARE, nonce: 'counter' })
    const json = pick.toJSON()
    for (const asOf of ['', 'never', '2026-13-45', '2026-11-30\n']) {
      const stored = { ...json, verdict: { ...json.verdict, asOf } }
      const error = await refusal(restoreSelection(stored, { backends: [real], evidence: HARDWARE }))
      expect(error.code).toBe('invalid-argument')
    }
    for (const part of ['value', 'source']) {
      const item = {
        name: 'backend.node.aes-128-gcm',
        value: 'passed',
        source: 'test',
        certainty: 'observed',
      }
      const items = [{ ...item, [part]: 5 }] as never
      const error = await refusal(selectAead({ backends: [real], evidence: { ...HARDWARE, items } }))
      expect([error.code, error.message]).toEqual(['invalid-argument', expect.stringMatching(/items/)])
    }
  })

  it('FIPS binds on the machine that restores', async () => {
    const pick = await selectAead({ backends: [real], evidence: HARDWARE, nonce: 'counter' })
    expect(pick.algorithm).toBe('chacha20-poly1305')
    const error = await refusal(restoreSelection(pick.toJSON(), { backends: [real], evidence: ENFORCING }))
    expect([error.code, error.message]).toEqual([
      'no-candidate',
      expect.stringMatching(/^V2: excluded: FIPS/),
    ])
    const approved = await selectAead({ backends: MODULE, evidence: ENFORCING })
    expect(
      (await refusal(restoreSelection(approved.toJSON(), { backends: [inside], evidence: HARDWARE }))).code,
    ).toBe('fips-unavailable')
    expect(
      (await restoreSelection(approved.toJSON(), { backends: [inside], evidence: ENFORCING })).algorithm,
    ).toBe('aes-128-gcm')
    const released = await restoreSelection(approved.toJSON(), {
      backends: [real],
      evidence: HARDWARE,
      fips: 'off',
    })
    expect(released.algorithm).toBe('aes-128-gcm')
  })

  it('refuses what is not a stored selection', async () => {
    const good = (await select()).toJSON()
    const { inputs: _, ...bare } = good
    const bad: unknown[] = [
      null,
      5,
      'not json',
      '{}',
      [],
      { ...good, algorithm: 'rot13' },
      { ...good, backend: 5 },
      { ...good, backend: { small: 'a', large: 'b', crossoverBytes: -1 } },
      { ...good, duties: 'none' },
      { ...good, verdict: {} },
      bare,
      { ...good, inputs: { ...good.inputs, nonce: 'never' } },
      { ...good, inputs: { ...good.inputs, volume: { messages: 5 } } },
      { ...good, inputs: { ...good.inputs, colour: 'blue' } },
    ]
    for (const json of bad) {
      const error = await refusal(
        restoreSelection(json as SelectionJson, { backends: [real], evidence: HARDWARE }),
      )
      expect(error.code, JSON.stringify(json)).toBe('invalid-argument')
    }
    expect((await refusal(restoreSelection(good, { backends: [] }))).code).toBe('invalid-argument')
    expect(
      (await refusal(restoreSelection(good, { backends: [real], constanttime: 1 } as never))).message,
    ).toMatch(/constantTime/)
    expect(
      (
        await refusal(
          restoreSelection(good, {
            backends: [nativeBackend('x', ['chacha20-poly1305'])],
            evidence: HARDWARE,
          }),
        )
      ).code,
    ).toBe('no-candidate')
  })
})

describe('explain', () => {
  it('has every section, with a date on each fact', async () => {
    const pick = await selectAead({
      backends: EVERYTHING,
      evidence: HARDWARE,
      readers: 'here',
      nonce: 'counter',
    })
    const told = explain(pick)
    expect(told.chosen[0]).toBe('aes-128-gcm on backend native (class hardware-aes; rules V18)')
    // One line for a rule: its reason here, and where it is written.
    expect(told.why.filter((line) => line.startsWith('V18'))).toEqual([
      expect.stringMatching(
        /^V18: every end has AES and carry-less multiply .*\(both halves of AES-GCM hang on instructions/,
      ),
    ])
    expect(told.passedOver.length).toBe(Object.keys(ALGORITHMS).length - 1)
    expect(told.watch.some((line) => line.startsWith('rekey:'))).toBe(true)
    expect(
      told.facts.filter((line) => /\d{4}-\d{2}-\d{2}|evidence of this selection/.test(line)).length,
    ).toBeGreaterThanOrEqual(told.facts.length - 1)
  })

  it('prints the target apart for each property, their sum, and the sum over the keys', async () => {
    const pick = await selectAead({
      backends: EVERYTHING,
      evidence: HARDWARE,
      algorithm: 'aes-128-gcm',
      nonce: 'counter',
      rekey: 'possible',
      volume: { messages: 16_773_120 * 8, messageBytes: 65_536, failedOpens: 1 },
    })
    expect(explainLimits(pick)).toEqual([
      'confidentiality: the volume spends 2^-57.0 of 2^-57',
      expect.stringMatching(/^integrity: the volume spends 2\^-11\d\.\d of 2\^-57$/),
      'nonce collision: the volume spends nothing of 2^-57',
      'sum of the three for one key: 2^-57.0',
      'times 8 keys of 16 773 120 (2^23.99) messages: 2^-54.0',
    ])
  })

  it('tells a protocol answer too', async () => {
    const told = explain(
      await selectAead({ backends: EVERYTHING, evidence: HARDWARE, context: 'openvpn', readers: 'here' }),
    )
    expect(told.chosen.join('\n')).toMatch(
      /no single cipher.*\n.*AES-128-GCM, AES-256-GCM, CHACHA20-POLY1305\nopenvpn: data-ciphers/,
    )
  })

  it('speaks for every algorithm', async () => {
    for (const id of Object.keys(ALGORITHMS) as AlgorithmId[]) {
      const pick = await selectAead({
        backends: EVERYTHING,
        evidence: HARDWARE,
        algorithm: id,
        readers: 'here',
        optIn: { aegis: true },
        constrained: id === 'ascon-aead128',
        nonce: 'counter',
        volume: { messages: 1, messageBytes: 16, failedOpens: 0 },
      })
      expect(explain(pick).facts.length, id).toBeGreaterThan(5)
    }
  })
})

describe('on this machine, end to end', () => {
  it('without arguments beyond the backends', async () => {
    const pick = await selectAead({ backends: [real], nonce: 'counter', measureBudgetMs: 60 })
    expect(pick.algorithm).toBe('chacha20-poly1305')
    expect(pick.verdict.class).toBe('portable')
    const sealer = await pick.createSealer(pick.generateKey(), {
      nonces: { kind: 'counter', fixedField: field, start: 0 },
    })
    const box = await sealer.encrypt(message)
    const reader = await createSealer(generateKey('chacha20-poly1305'), { backends: [real] })
    expect((await refusal(reader.decrypt(box))).code).toBe('invalid-argument')
    expect(await sealer.decrypt(box)).toEqual(message)
  })
})
