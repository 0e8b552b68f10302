import type { AlgorithmId, Evidence, Measurement, Presence } from '@aeadkit/core'
import { isAeadError } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { cacheKey, type MeasurementCache, memoryCache } from '../src/evidence/cache.ts'
import { collectEvidence, toHardwareReport } from '../src/evidence/collect.ts'
import type { Host } from '../src/host.ts'
import { has, read, skipped } from './facts.ts'
import { type FakeHost, fakeHost } from './fake-host.ts'
import { nativeBackend } from './native-backend.mjs'
import { stepped } from './stepped.ts'

const value = (evidence: Evidence, name: string): string | undefined =>
  evidence.items.find((item) => item.name === name)?.value
const cpuinfo = (flags: string): Record<string, string> => {
  return { '/proc/cpuinfo': `processor\t: 0\nmodel name\t: Test CPU\nflags\t\t: ${flags}\n` }
}
const both = cpuinfo('fpu ssse3 aes pclmulqdq avx2 hypervisor')
const collect = (host: Host, more: object = {}): Promise<Evidence> =>
  collectEvidence({ host, measure: 'never', ...more })

describe('without measuring', () => {
  it('flags decide, and the source says so', async () => {
    const evidence = await collect(fakeHost({ files: both }))
    expect(evidence).toMatchObject({
      runtime: 'node',
      arch: 'x64',
      cpuModel: 'Test CPU',
      aes: 'yes',
      clmul: 'yes',
      hardwareClass: 'hardware',
      source: 'flags',
    })
    expect(value(evidence, 'cpu.flags.hypervisor')).toBe('yes')
    expect(value(evidence, 'cpu.flags.aes+clmul')).toBe('yes')
    expect(value(evidence, 'fips.state')).toBe('off')
  })
  it('masks come after flags', async () => {
    const variables = { OPENSSL_ia32cap: '~0x200000000:~0x60000000000' }
    const evidence = await collect(fakeHost({ files: both, variables }))
    expect(evidence).toMatchObject({ aes: 'yes', clmul: 'no', hardwareClass: 'none', source: 'flags' })
    expect(value(evidence, 'cpu.flags.clmul')).toBe('yes')
    expect(value(evidence, 'cpu.effective.clmul')).toBe('no')
    expect(value(evidence, 'env.OPENSSL_ia32cap')).toBe(variables.OPENSSL_ia32cap)
  })
  it('a mask set after the start changes nothing, and both values are told', async () => {
    const variables = { OPENSSL_ia32cap: '~0x200000200000000:~0x0' }
    const evidence = await collect(fakeHost({ files: both, variables, started: {} }))
    expect(evidence).toMatchObject({ aes: 'yes', clmul: 'yes', hardwareClass: 'hardware' })
    expect(value(evidence, 'env.OPENSSL_ia32cap')).toBeUndefined()
    expect(value(evidence, 'env.now.OPENSSL_ia32cap')).toBe(variables.OPENSSL_ia32cap)
  })
  it('a mask taken away after the start still hides what it hid', async () => {
    const started = { OPENSSL_ia32cap: '~0x200000200000000:~0x0' }
    const evidence = await collect(fakeHost({ files: both, started }))
    expect(evidence).toMatchObject({ aes: 'no', clmul: 'no', hardwareClass: 'none' })
    expect(value(evidence, 'env.OPENSSL_ia32cap')).toBe(started.OPENSSL_ia32cap)
    expect(value(evidence, 'env.now.OPENSSL_ia32cap')).toBe('not set')
  })
  it('where only the present value shows, nothing that follows from it counts as observed', async () => {
    const certainty = async (host: FakeHost, name: string) =>
      (await collect(fakeHost({ files: both, ...host }))).items.find((item) => item.name === name)?.certainty
    const variables = { OPENSSL_ia32cap: '~0x200000200000000:~0x0' }
    expect(await certainty({ variables }, 'env.OPENSSL_ia32cap')).toBe('observed')
    expect(await certainty({}, 'cpu.effective.aes')).toBe('observed')
    for (const name of ['env.OPENSSL_ia32cap', 'openssl.mask.ia32cap.vector0', 'cpu.effective.aes']) {
      expect(await certainty({ variables, started: null }, name)).toBe('inferred')
    }
    expect(await certainty({ started: null }, 'cpu.effective.aes')).toBe('inferred')
  })
  it('the key of the cache, NODE_OPTIONS and OPENSSL_CONF are those of the start', async () => {
    const started = { NODE_OPTIONS: '--jitless', OPENSSL_CONF: '/a', OPENSSL_ia32cap: '~0x0:~0x20' }
    const variables = { NODE_OPTIONS: '--a', OPENSSL_CONF: '/b', OPENSSL_ia32cap: '~0x0:~0x0' }
    const keys: string[] = []
    const cache: MeasurementCache = { get: (key) => void keys.push(key), set: () => undefined }
    const keysOf = async (host: FakeHost) => {
      keys.length = 0
      const options = { backends: [nativeBackend()], measurementCache: cache, budgetMs: 0 }
      const evidence = await collectEvidence({ host: fakeHost({ files: both, ...host }), ...options })
      return { keys: [...keys], config: value(evidence, 'openssl.config') }
    }
    const before = await keysOf({ variables: started })
    expect(before.keys.length).toBeGreaterThan(0)
    expect(before.config).toBe('/a')
    expect(await keysOf({ variables, started })).toEqual(before)
    expect((await keysOf({ variables })).keys).not.toEqual(before.keys)
  })
  it('a mask under Deno is noted; nothing is concluded from it', async () => {
    const variables = { OPENSSL_ia32cap: '~0x200000000:~0x60000000000' }
    const evidence = await collect(fakeHost({ runtime: 'deno', files: both, variables }))
    expect(evidence).toMatchObject({ aes: 'yes', clmul: 'yes' })
    expect(evidence.items.find((item) => item.name === 'openssl.mask.ia32cap')?.certainty).toBe('unknown')
  })
  it('names the hypervisor model that hides the multiply, and the cure', async () => {
    const evidence = await collect(fakeHost({ files: cpuinfo('aes ssse3 hypervisor') }))
    expect(evidence).toMatchObject({ aes: 'yes', clmul: 'no', hardwareClass: 'none' })
    expect(value(evidence, 'cpu.flags.aes+clmul')).toBe('partial')
    expect(value(evidence, 'vm.model')).toMatch(/x86-64-v2-AES.*host/)
  })
  it('the VAES path keeps the class although AES-NI is masked, without claiming the instructions', async () => {
    const files = cpuinfo('aes pclmulqdq vaes vpclmulqdq avx512f avx512dq avx512bw avx512vl')
    const evidence = await collect(
      fakeHost({ files, variables: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' } }),
    )
    expect(evidence).toMatchObject({ aes: 'no', clmul: 'no', hardwareClass: 'hardware' })
  })
  it.each<[string, Partial<Host>, Partial<Evidence>]>([
    [
      'Windows',
      { platform: 'win32' },
      { aes: 'unknown', clmul: 'unknown', hardwareClass: 'unknown', source: 'unknown' },
    ],
    [
      'a browser',
      { runtime: 'browser', platform: 'unknown', arch: 'unknown' },
      { aes: 'unknown', hardwareClass: 'unknown' },
    ],
    ['macOS on Intel', { platform: 'darwin' }, { aes: 'unknown', hardwareClass: 'unknown' }],
    [
      'macOS on Apple silicon',
      { platform: 'darwin', arch: 'arm64' },
      { aes: 'yes', clmul: 'yes', hardwareClass: 'hardware' },
    ],
    ['Linux that hides the file', {}, { aes: 'unknown', cpuModel: 'unknown', hardwareClass: 'unknown' }],
  ])('%s', async (_, host, expected) => {
    expect(await collect(fakeHost(host))).toMatchObject(expected)
  })
  it('macOS asks sysctl only when child processes are allowed, one key at a time', async () => {
    const asked: string[] = []
    const run: Host['run'] = (_, [key = '']) => {
      asked.push(key)
      return key === 'machdep.cpu.features'
        ? { state: 'read', text: `${key}: AES PCLMULQDQ SSSE3` }
        : { state: 'unknown', reason: '1' }
    }
    const host = fakeHost({ platform: 'darwin', run })
    expect((await collect(host)).aes).toBe('unknown')
    expect(asked).toEqual([])
    expect(await collect(host, { allowSpawn: true })).toMatchObject({ aes: 'yes', clmul: 'yes' })
    expect(asked).toContain('machdep.cpu.leaf7_features')
  })
  it('reads FreeBSD', async () => {
    const files = { '/var/run/dmesg.boot': ' Instruction Set Attributes 0 = <AES,SHA1>' }
    expect(await collect(fakeHost({ platform: 'freebsd', arch: 'arm64', files }))).toMatchObject({
      aes: 'yes',
      clmul: 'no',
    })
  })
  it.each(['loong64', 'mips64el', 'sparc'])(
    'reads nothing on an architecture it does not know: %s',
    async (arch) => {
      const files = {
        '/proc/cpuinfo': 'processor : 0\nFeatures : cpucfg lam fpu neon crypto\nflags : sse2\n',
      }
      const evidence = await collect(fakeHost({ arch, files }))
      expect(evidence).toMatchObject({ aes: 'unknown', clmul: 'unknown', hardwareClass: 'unknown' })
      expect(evidence.items.filter(({ name }) => name.startsWith('cpu.flags.'))).toEqual([])
    },
  )
  const fixture = 'facts/cpuinfo/ppc64le-power9-kvm.txt'
  it.skipIf(!has(fixture) && skipped(1, 'no ../shared/facts'))(
    'POWER9 by its name, as an inference',
    async () => {
      const evidence = await collect(
        fakeHost({ arch: 'ppc64', files: { '/proc/cpuinfo': has(fixture) ? read(fixture) : '' } }),
      )
      expect(evidence).toMatchObject({ aes: 'yes', clmul: 'yes' })
      expect(evidence.items.find((item) => item.name === 'cpu.effective.aes')?.certainty).toBe('inferred')
    },
  )
  it('every item has a value, a source and a certainty, and all of it is JSON', async () => {
    const evidence = await collect(fakeHost({ files: both }), { backends: [nativeBackend()] })
    for (const item of evidence.items) {
      expect(item.value).not.toBe('')
      expect(item.source).not.toBe('')
      expect(['observed', 'inferred', 'unknown']).toContain(item.certainty)
      if (item.value === 'unknown') expect(item.certainty, item.name).toBe('unknown')
    }
    expect(JSON.parse(JSON.stringify(evidence))).toEqual(evidence)
  })
})

describe('self-tests', () => {
  it('R14: a listed cipher whose constructor throws is not available, and nothing is timed with it', async () => {
    const time = stepped()
    const lying = time.backend('lying', ['chacha20-poly1305', 'aes-128-gcm'], {
      created: (id: AlgorithmId) => {
        if (id === 'chacha20-poly1305') throw new Error('Unknown cipher')
      },
    })
    const evidence = await collectEvidence({
      host: fakeHost({ clock: time.clock }),
      backends: [lying],
      budgetMs: 60,
      measurementCache: memoryCache(),
    })
    expect(value(evidence, 'backend.lying.chacha20-poly1305')).toMatch(/^self-test: .*Unknown cipher/)
    expect(value(evidence, 'backend.lying.aes-128-gcm')).toBe('passed')
    expect(evidence.measurements.some((one) => one.algorithm === 'chacha20-poly1305')).toBe(false)
  })
  it('R13: an algorithm the backend lacks here is absent with its reason', async () => {
    const backend = nativeBackend('n', ['aes-256-gcm'], { probe: () => 'Unknown cipher on this runtime' })
    expect(value(await collect(fakeHost(), { backends: [backend] }), 'backend.n.aes-256-gcm')).toBe(
      'absent: Unknown cipher on this runtime',
    )
  })
})

const ALGORITHMS: readonly AlgorithmId[] = ['aes-128-gcm', 'chacha20-poly1305']

describe('measuring', () => {
  it('decides the class by timing, and keeps the result for the process', async () => {
    let calls = 0
    const time = stepped()
    const backend = time.backend('n', ALGORITHMS, { sealed: () => calls++ })
    const options = {
      host: fakeHost({ clock: time.clock }),
      backends: [backend],
      measurementCache: memoryCache(),
      algorithms: ALGORITHMS,
    }
    const first = await collectEvidence(options)
    expect(first.measurements.length).toBeGreaterThan(3)
    expect(value(first, 'hardware.class')).toBe(first.hardwareClass)
    calls = 0
    const start = performance.now()
    const second = await collectEvidence(options)
    const spent = performance.now() - start
    expect(calls).toBe(0)
    expect(second.measurements).toEqual(expect.arrayContaining([...first.measurements]))
    expect(second).toMatchObject({ hardwareClass: first.hardwareClass, source: first.source })
    console.log(`with a cache hit: ${spent.toFixed(2)} ms`)
    await collectEvidence({ ...options, measure: 'always' })
    expect(calls).toBeGreaterThan(0)
  })

  it.each(['never', 'budget 0', 'given'])('%s times nothing', async (how) => {
    let calls = 0
    const backend = nativeBackend('n', ALGORITHMS, { sealed: () => calls++ })
    await backend.probe('aes-128-gcm')
    await backend.probe('chacha20-poly1305')
    calls = 0
    const options =
      how === 'never'
        ? { measure: 'never' as const }
        : how === 'given'
          ? { given: { measurements: [] } }
          : { budgetMs: 0 }
    await collectEvidence({
      host: fakeHost(),
      backends: [backend],
      measurementCache: memoryCache(),
      ...options,
    })
    expect(calls).toBe(0)
  })

  it('without a budget what a cache knows is used, and no clock is read', async () => {
    const cache = memoryCache()
    const time = stepped()
    const options = { backends: [time.backend('n', ALGORITHMS)], measurementCache: cache }
    const first = await collectEvidence({ ...options, host: fakeHost({ clock: time.clock }), budgetMs: 400 })
    expect(first.measurements.length).toBeGreaterThan(3)
    const stopped = fakeHost({
      clock: {
        now: () => {
          throw new Error('the clock was read')
        },
      },
    })
    const second = await collectEvidence({ ...options, host: stopped, budgetMs: 0 })
    const sorted = (all: readonly object[]): readonly string[] => all.map((one) => JSON.stringify(one)).sort()
    expect(sorted(second.measurements)).toEqual(sorted(first.measurements))
    expect([second.hardwareClass, second.source]).toEqual([first.hardwareClass, first.source])
    const masked = fakeHost({ clock: stopped.clock, variables: { OPENSSL_ia32cap: '~0x200000200000000' } })
    expect((await collectEvidence({ ...options, host: masked, budgetMs: 0 })).measurements).toEqual([])
  })

  it('what the budget cut off is measured by the next call, and only that', async () => {
    const cache = memoryCache()
    const time = stepped()
    const host = fakeHost({ clock: time.clock })
    const options = { host, backends: [time.backend('n', ALGORITHMS)], measurementCache: cache }
    const first = await collectEvidence({ ...options, algorithms: ['aes-128-gcm'], budgetMs: 400 })
    const before = JSON.stringify(first.measurements)
    const second = await collectEvidence({ ...options, algorithms: ALGORITHMS, budgetMs: 400 })
    expect(JSON.stringify(second.measurements)).toContain(before.slice(1, 60))
    // Negative: without new memory, for the class.
    const sizes = (algorithm: AlgorithmId): number[] =>
      second.measurements
        .filter((one) => one.algorithm === algorithm && one.operation === 'seal')
        .map((one) => (one.into === true ? -one.bytes : one.bytes))
        .sort((a, b) => a - b)
    expect(sizes('aes-128-gcm')).toEqual([-65_536, 64, 1024, 16_384, 65_536])
    expect(sizes('chacha20-poly1305')).toEqual([-65_536, 64, 1024, 16_384, 65_536])
    for (const one of first.measurements) expect(second.measurements).toContainEqual(one)
  })

  it('timings of other instructions or engine options are not used, though the model has one name', async () => {
    const measurementCache = memoryCache()
    const seen = async (given: FakeHost) => {
      const time = stepped()
      const host = fakeHost({ clock: time.clock, ...given })
      const options = { backends: [time.backend('n', ALGORITHMS)], algorithms: ALGORITHMS, budgetMs: 300 }
      const { items } = await collectEvidence({ ...options, measurementCache, host })
      return items.find(({ name }) => name === 'measure.timings')?.source
    }
    expect(await seen({ files: both })).toMatch(/^timed in this process/)
    expect(await seen({ files: both })).toMatch(/^timed now: 0, .*from the cache: [1-9]/)
    expect(await seen({ files: cpuinfo('fpu ssse3 aes avx2 hypervisor') })).toMatch(/^timed in this process/)
    expect(await seen({ files: both, execArgv: ['--jitless'] })).toMatch(/^timed in this process/)
    expect(await seen({ files: both, variables: { NODE_OPTIONS: '--no-opt' } })).toMatch(
      /^timed in this process/,
    )
  })

  it.each<[Presence, Presence, string]>([
    ['yes', 'yes', 'hardware'],
    ['yes', 'unknown', 'unknown'],
    ['unknown', 'unknown', 'unknown'],
    ['no', 'unknown', 'none'],
    ['yes', 'no', 'none'],
    ['partial', 'yes', 'none'],
  ])('halves given as %s and %s make the class %s', async (aes, clmul, expected) => {
    const given = { aes, clmul }
    const evidence = await collectEvidence({ host: fakeHost(), measure: 'never', given })
    expect(evidence).toMatchObject({ aes, clmul, hardwareClass: expected })
  })

  it('two at once measure once', async () => {
    const cache = memoryCache()
    let writes = 0
    const counting: MeasurementCache = {
      get: cache.get,
      set(key, text) {
        writes++
        return cache.set(key, text)
      },
    }
    const time = stepped()
    const options = {
      host: fakeHost({ clock: time.clock }),
      backends: [time.backend('n', ALGORITHMS)],
      measurementCache: counting,
      // Enough for all of it: what the first call left out, the second would measure.
      budgetMs: 400,
      algorithms: ALGORITHMS,
    }
    const [a, b] = await Promise.all([collectEvidence(options), collectEvidence(options)])
    expect(writes).toBe(2)
    expect(b?.measurements).toHaveLength(a?.measurements.length ?? 0)
  })

  it.each<[string, (key: string) => string]>([
    ['no JSON', () => '{'],
    ['another shape', () => '{"a":1}'],
    ['an empty list', (key) => JSON.stringify({ key, at: Date.now(), measurements: [] })],
    ['nothing', () => 'null'],
    [
      'another backend',
      (key) =>
        JSON.stringify({
          key,
          at: Date.now(),
          measurements: [
            { backend: 'x', algorithm: 'aes-128-gcm', operation: 'seal', bytes: 64, nanoseconds: 1 },
          ],
        }),
    ],
    [
      'a negative time',
      (key) =>
        JSON.stringify({
          key,
          at: Date.now(),
          measurements: [
            { backend: 'n', algorithm: 'aes-128-gcm', operation: 'seal', bytes: 64, nanoseconds: -1 },
          ],
        }),
    ],
  ])('a store with %s is ignored', async (_, text) => {
    const time = stepped()
    const evidence = await collectEvidence({
      host: fakeHost({ clock: time.clock }),
      backends: [time.backend('n', ['aes-128-gcm'])],
      algorithms: ['aes-128-gcm'],
      budgetMs: 200,
      measurementCache: { get: text, set: () => undefined },
    })
    expect(evidence.measurements.every((one) => one.backend === 'n' && one.nanoseconds > 0)).toBe(true)
    expect(evidence.measurements.length).toBeGreaterThan(1)
  })

  it('a store that throws costs nothing but the hit', async () => {
    const broken = (): never => {
      throw new Error('read-only')
    }
    const time = stepped()
    const evidence = await collectEvidence({
      host: fakeHost({ clock: time.clock }),
      backends: [time.backend('n', ['aes-128-gcm'])],
      budgetMs: 100,
      measurementCache: { get: broken, set: broken },
    })
    expect(evidence.measurements.length).toBeGreaterThan(0)
  })

  it('timings of another machine, mask or library version are not taken', () => {
    const key = (machine: string[]): string => cacheKey(machine, nativeBackend(), 'aes-128-gcm')
    expect(new Set([key(['a', 'b']), key(['a', 'c']), key(['ab', '']), key(['a', 'b', ''])]).size).toBe(4)
  })

  it('is cancelled by a signal', async () => {
    const signal = AbortSignal.abort(new Error('stop'))
    await expect(
      collectEvidence({
        host: fakeHost(),
        backends: [nativeBackend()],
        signal,
        measurementCache: memoryCache(),
      }),
    ).rejects.toThrow('stop')
  })
})

describe('given', () => {
  it('replaces what would be observed and is marked', async () => {
    const evidence = await collect(fakeHost({ files: both }), {
      given: { hardwareClass: 'none', cpuModel: 'Other' },
    })
    expect(evidence).toMatchObject({ hardwareClass: 'none', source: 'given', cpuModel: 'Other', aes: 'yes' })
    expect(value(evidence, 'given.hardwareClass')).toBe('replaced')
  })
  it('both halves given decide the class', async () => {
    const host = fakeHost({ files: both })
    expect(await collect(host, { given: { aes: 'yes', clmul: 'no' } })).toMatchObject({
      hardwareClass: 'none',
      source: 'given',
    })
  })
})

describe('toHardwareReport', () => {
  const base = { aes: 'yes', clmul: 'yes', hardwareClass: 'hardware', source: 'measured' } as Evidence
  it.each<[string, Partial<Evidence>, string, string]>([
    ['measured hardware', {}, 'yes', 'yes'],
    ['measured hardware that shows no flags', { aes: 'unknown', clmul: 'unknown' }, 'yes', 'yes'],
    ['flags that the library does not use', { hardwareClass: 'none' }, 'no', 'no'],
    ['a half missing stays visible', { hardwareClass: 'none', clmul: 'no' }, 'yes', 'no'],
    ['flags alone', { source: 'flags', clmul: 'no', hardwareClass: 'none' }, 'yes', 'no'],
    [
      'nothing known',
      { source: 'unknown', aes: 'unknown', clmul: 'unknown', hardwareClass: 'unknown' },
      'unknown',
      'unknown',
    ],
  ])('%s', (_, change, aes, clmul) => {
    expect(toHardwareReport({ ...base, ...change }, 'pi')).toEqual({ name: 'pi', aes, clmul })
  })
})

it('the measurement type holds no more than numbers and names', async () => {
  const time = stepped()
  const evidence = await collectEvidence({
    host: fakeHost({ clock: time.clock }),
    backends: [time.backend('n', ['aes-128-gcm'])],
    budgetMs: 100,
    measurementCache: memoryCache(),
  })
  const known: readonly (keyof Measurement)[] = [
    'backend',
    'algorithm',
    'operation',
    'bytes',
    'nanoseconds',
    'bestNanoseconds',
    'into',
  ]
  expect(evidence.measurements.length).toBeGreaterThan(0)
  for (const one of evidence.measurements)
    expect(Object.keys(one).every((key) => (known as string[]).includes(key))).toBe(true)
})

describe('slips in the options', () => {
  const cases: readonly (readonly [name: string, options: object, message: RegExp])[] = [
    ['a name', { budgetMS: 5 }, /unknown option budgetMS: did you mean budgetMs\?/],
    [
      'a budget that is no number',
      { budgetMs: Number.NaN },
      /budgetMs takes a whole number from 0 to 60000, got NaN/,
    ],
    ['a budget below zero', { budgetMs: -5 }, /budgetMs takes a whole number from 0 to 60000, got -5/],
    ['a word', { measure: 'newer' }, /measure takes one of .*never.*: did you mean never\?/],
    [
      'a given half',
      { given: { aes: 'maybe' } },
      /given\.aes takes one of yes, partial, no, unknown, got "maybe"/,
    ],
    ['a given name', { given: { ase: 'yes' } }, /given: unknown option ase: did you mean aes\?/],
    ['a given model', { given: { cpuModel: 5 } }, /given\.cpuModel takes a string, got 5/],
    ['given timings', { given: { measurements: [{}] } }, /given\.measurements takes at most 10000 timings/],
    ['a given FIPS state', { given: { fips: { state: 'on' } } }, /given\.fips\.state takes one of off/],
    ['a backend', { backends: [{}] }, /backends\[0\] takes a backend made by/],
    ['an algorithm', { algorithms: ['aes-128-gmc'] }, /algorithms takes .*did you mean aes-128-gcm\?/],
    ['a certificate', { certificate: 5 }, /certificate takes a string as the operator states it, got 5/],
    ['a cache', { measurementCache: {} }, /measurementCache takes an object with get/],
    ['a permission', { allowSpawn: 'yes' }, /allowSpawn takes true or false, got "yes"/],
    ['a signal', { signal: {} }, /signal takes an AbortSignal/],
  ]
  it.each(cases)('%s is refused as selectAead does it', async (_, options, message) => {
    const error = await collectEvidence({ measure: 'never', ...options }).catch((one: unknown) => one)
    expect(isAeadError(error, 'invalid-argument'), String(error)).toBe(true)
    expect(String(error)).toMatch(message)
  })
})
