/** What was decided before a process asked for FIPS does not outlive the request. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isAeadError } from '@aeadkit/core'
import { setUpFips, whyNoFips } from '@aeadkit-internal/fips'
import { describe, expect, it } from 'vitest'
import { type Host, restoreSelection, type Selection, selectAead } from '../src/index.ts'
import { skipped } from './facts.ts'
import { fakeCrypto, fakeHost } from './fake-host.ts'
import { ENFORCING, evidence, HARDWARE } from './fakes.ts'
import { nativeBackend } from './native-backend.mjs'

type State = 'off' | 'requested-unusable' | 'enforcing'
const ANSWERS = {
  off: fakeCrypto(),
  'requested-unusable': fakeCrypto({ fips: 1, 'aes-128-gcm': false }),
  enforcing: fakeCrypto({ fips: 1, 'chacha20-poly1305': false, md5: false }),
} as const

/** A host whose FIPS state is changed while it is used. */
function changing(runtime: Host['runtime'] = 'node'): { readonly host: Host; to(state: State): void } {
  let now: State = 'off'
  const crypto: Host['crypto'] = {
    fips: () => ANSWERS[now].fips(),
    tryAead: (cipher, bytes) => ANSWERS[now].tryAead(cipher, bytes),
    tryDigest: (digest) => ANSWERS[now].tryDigest(digest),
  }
  return {
    host: fakeHost({ crypto, runtime }),
    to(state) {
      now = state
    },
  }
}

const backends = [nativeBackend('native', undefined, { fipsModule: 'enforcing' })]
const COUNTED = {
  nonces: { kind: 'counter', fixedField: new Uint8Array(4), start: 0 },
} as const

async function refusals(pick: Selection): Promise<readonly string[]> {
  const made = [
    pick.createAead(new Uint8Array(pick.params.keyBytes)),
    pick.createSealer(pick.generateKey(), COUNTED),
  ]
  return (await Promise.allSettled(made)).map((one) => {
    if (one.status === 'fulfilled') return 'made'
    if (!isAeadError(one.reason)) throw one.reason
    expect(one.reason.message).toMatch(/select again/)
    return one.reason.code
  })
}

const MADE = ['made', 'made']
const REFUSED = ['fips-unavailable', 'fips-unavailable']
const BASE = { backends, nonce: 'counter', measure: 'never' } as const

describe.each(['requested-unusable', 'enforcing'] as const)('FIPS requested later (%s)', (state) => {
  it.each([{}, { fips: 'auto' }, { evidence: HARDWARE }] as const)(
    'auto is looked at again: %o',
    async (asked) => {
      const { host, to } = changing()
      const pick = await selectAead({ ...BASE, ...asked, host })
      expect(pick.inputs).toMatchObject({ fips: 'off', fipsAsked: 'auto' })
      expect(await refusals(pick)).toEqual(MADE)
      to(state)
      expect(await refusals(pick)).toEqual(REFUSED)
      to('off')
      expect(await refusals(pick)).toEqual(MADE)
    },
  )

  it("an explicit choice stays the caller's", async () => {
    for (const fips of ['off', 'approved-algorithms'] as const) {
      const { host, to } = changing()
      const pick = await selectAead({ ...BASE, host, fips })
      expect(pick.inputs).toMatchObject({ fips, fipsAsked: fips })
      to(state)
      expect(await refusals(pick)).toEqual(MADE)
    }
  })

  it.each<[asked: object, restoring: object, outcome: readonly string[]]>([
    [{}, {}, REFUSED],
    [{}, { fips: 'auto' }, REFUSED],
    [{}, { evidence: HARDWARE }, REFUSED],
    [{}, { fips: 'off' }, MADE],
    [{ fips: 'off' }, {}, MADE],
    [{ fips: 'off' }, { fips: 'auto' }, REFUSED],
  ])('selected with %o, restored with %o', async (asked, restoring, outcome) => {
    const { host, to } = changing()
    const text = JSON.stringify(await selectAead({ ...BASE, ...asked, host }))
    const again = await restoreSelection(text, { backends, host, ...restoring })
    // Once more, from what the restored one says of itself.
    const third = await restoreSelection(JSON.stringify(again), { backends, host })
    to(state)
    expect(await refusals(again)).toEqual(outcome)
    expect(await refusals(third)).toEqual(outcome)
  })

  it('a selection stored before anybody noted what was asked counts as auto', async () => {
    const { host, to } = changing()
    const json = JSON.parse(JSON.stringify(await selectAead({ ...BASE, host })))
    delete json.inputs.fipsAsked
    const again = await restoreSelection(json, { backends, host })
    expect(again.inputs.fipsAsked).toBe('auto')
    to(state)
    expect(await refusals(again)).toEqual(REFUSED)
    json.inputs.fipsAsked = 'never'
    await expect(restoreSelection(json, { backends, host })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  })
})

describe('evidence can tighten, never loosen', () => {
  const { host, to } = changing()
  it.each(['off', 'unknown'] as const)('%s in a process that enforces: auto is the module', async (said) => {
    const options = { ...BASE, host, evidence: evidence({}, said) }
    to('enforcing')
    const pick = await selectAead(options)
    expect([pick.inputs.fips, pick.algorithm, pick.evidence.fips.state]).toEqual([
      'module',
      'aes-128-gcm',
      'enforcing',
    ])
    expect((await selectAead({ ...options, fips: 'off' })).inputs.fips).toBe('off')
    await expect(selectAead({ ...options, fips: 'module' })).rejects.toMatchObject({
      code: 'fips-unavailable',
    })
    const restored = await restoreSelection(pick.toJSON(), { backends, host, evidence: options.evidence })
    expect(restored.inputs.fips).toBe('module')
    to('requested-unusable')
    await expect(selectAead(options)).rejects.toMatchObject({ code: 'fips-unavailable' })
    to('off')
    const json = (await selectAead(options)).toJSON()
    to('enforcing')
    await expect(
      restoreSelection(json, { backends, host, evidence: options.evidence }),
    ).rejects.toMatchObject({ code: 'no-candidate' })
    to('off')
  })

  it('enforcing on a host that is off passes for no module', async () => {
    const pick = await selectAead({ ...BASE, host, evidence: ENFORCING })
    expect(pick.inputs.fips).toBe('module')
    await expect(pick.createAead(new Uint8Array(16))).rejects.toMatchObject({ code: 'fips-unavailable' })
  })

  it('a runtime that does not show the state of a module requests none', async () => {
    const deno = changing('deno')
    const pick = await selectAead({ ...BASE, host: deno.host })
    deno.to('enforcing')
    expect(await refusals(pick)).toEqual(MADE)
    expect((await selectAead({ ...BASE, host: deno.host, evidence: HARDWARE })).inputs.fips).toBe('off')
  })

  it('asks the library for its flag alone while FIPS is off', async () => {
    let asked = 0
    const never = (): never => {
      throw new Error('asked')
    }
    const fips = (): number => {
      asked++
      return 0
    }
    const crypto = { fips, tryAead: never, tryDigest: never }
    const quiet = { ...fakeHost({ crypto }), readText: never, env: never }
    const pick = await selectAead({ ...BASE, host: quiet, evidence: HARDWARE })
    expect(await refusals(pick)).toEqual(MADE)
    expect(asked).toBe(3)
  })
})

const child = resolve(import.meta.dirname, 'fips-later-child.mjs')
const built = existsSync(resolve(import.meta.dirname, '../dist/index.js'))
const missing = built ? whyNoFips() : 'the package is not built'

describe.skipIf(missing !== undefined && skipped(1, missing))('with a real provider', () => {
  it('what was selected before setFips(1) makes nothing after it', () => {
    const setup = setUpFips(false)
    try {
      const env = { ...process.env, ...setup.env }
      const out = execFileSync(process.execPath, [...setup.args, child], { env, encoding: 'utf8' })
      expect(JSON.parse(out)).toEqual({
        before: { fips: 'off', made: MADE },
        later: REFUSED,
        restored: REFUSED,
        // Not refused for FIPS; it is the library that has no ChaCha20-Poly1305 left.
        explicit: ['unsupported', 'unsupported'],
        stale: { fips: 'module', algorithm: 'aes-128-gcm', state: 'enforcing' },
        staleRestored: 'no-candidate',
      })
    } finally {
      setup.dispose()
    }
  })
})
