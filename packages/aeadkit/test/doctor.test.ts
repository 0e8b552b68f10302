/** `aeadkit doctor` in this process, on a platform and a clock of the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { nobleBackend } from '@aeadkit/backend-noble'
import { nodeBackend } from '@aeadkit/backend-node'
import { ALGORITHMS, type Evidence } from '@aeadkit/core'
import { collectEvidence, createHost, type SelectOptions, selectAead } from '@aeadkit/selector'
import { afterAll, describe, expect, it } from 'vitest'
import { fileCache } from '../src/cache.ts'
import { classAnswers } from '../src/cli/classes.ts'
import { CliContext, type CliSettings } from '../src/cli/context.ts'
import { type Choice, runsOf } from '../src/cli/diagnosis.ts'
import { pageText, runsText } from '../src/cli/doctor-text.ts'
import type { Finding } from '../src/cli/finding.ts'
import { run } from '../src/cli/program.ts'
import { leftOutOf } from '../src/cli/speeds.ts'
import { loadBackends } from '../src/load.ts'
import { cpuinfo, fakeHost } from './fake-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'aeadkit-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function said(args: readonly string[], settings: CliSettings = {}): Promise<Said> {
  const [out, err]: [string[], string[]] = [[], []]
  const output = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) }
  const code = await run(args, output, { cache: fileCache(folder), ...settings })
  return { code, out: out.join(''), err: err.join('') }
}

const plain = (text: string): string => stripVTControlCharacters(text).replace(/\s+/g, ' ')
const today = () => new Date('2026-12-01T12:00:00Z')
const never = ['--measure', 'never']

describe('the page', () => {
  it('and its JSON have the same content', async () => {
    const settings = { host: fakeHost({ variables: { OPENSSL_ia32cap: '~0x200000000:~0x0' } }), today }
    const page = plain((await said(['doctor', ...never], settings)).out)
    const { code, out } = await said(['doctor', '--json', ...never], settings)
    const json = JSON.parse(out)
    expect(code).toBe(0)
    const { runs } = json
    expect(page.startsWith('node 24.22.3 on linux x64, test CPU')).toBe(true)
    expect([runs.runtime, runs.runtimeVersion, runs.platform, runs.arch, runs.cpu]).toEqual([
      'node',
      '24.22.3',
      'linux',
      'x64',
      'test CPU',
    ])
    expect(page).toContain(`AES ${runs.aes}, carry-less multiply ${runs.clmul}`)
    expect(page).toContain(runs.hardware.reason)
    expect(page).toContain(runs.fips.reason)
    for (const backend of runs.backends) {
      expect(page).toContain(`${backend.kind}, ${backend.version}`)
      expect(page).toContain(backend.works.join(', '))
      for (const { algorithm } of backend.lacks) expect(page).toContain(algorithm)
    }
    expect(json.findings.length).toBeGreaterThan(0)
    for (const { problem } of json.findings) expect(page).toContain(plain(problem))
    for (const { text } of json.actions) expect(page).toContain(plain(text))
    for (const { algorithm, here, title } of json.classes)
      expect(page).toMatch(
        new RegExp(`${title} ${algorithm} on [\\w ,]+\\(V\\d+\\)${here ? ': this machine' : '(?!:)'}`),
      )
    for (const { algorithm, command, title } of json.choices) {
      expect(page).toContain(`${title}:`)
      expect(page).toContain(command)
      if (algorithm !== null) expect(page).toContain(`${algorithm} on`)
    }
    expect(json.evidence.items.length).toBeGreaterThan(20)
  })

  it('answers for four kinds of use, and each command is one that runs', async () => {
    const { choices } = JSON.parse((await said(['doctor', '--json', ...never])).out)
    expect(choices.map(({ id }: { id: string }) => id)).toEqual([
      'stored',
      'local',
      'small-messages',
      'fips-module',
    ])
    expect(choices[0]).toMatchObject({ algorithm: 'xchacha20-poly1305', class: 'portable' })
    expect(choices[3]).toMatchObject({
      algorithm: null,
      error: { code: 'fips-unavailable' },
      withoutModule: { algorithm: 'aes-128-gcm' },
    })
    for (const { algorithm, command } of choices) {
      const args = [...String(command).split(' ').slice(2), '--json', ...never]
      const answer = JSON.parse((await said(args)).out)
      expect(answer.selection?.algorithm ?? null, command).toBe(algorithm)
    }
  })

  it('says which of the four classes this machine is in, and what each gets', async () => {
    const asked = async (host: Parameters<typeof fakeHost>[0]) =>
      JSON.parse((await said(['doctor', '--json', ...never], { host: fakeHost(host), today })).out).classes
    const gets = ['aes-128-gcm', 'chacha20-poly1305', 'chacha20-poly1305', 'aes-128-gcm']
    for (const [host, mine] of [
      [{}, 'hardware'],
      [{ files: cpuinfo('ssse3') }, 'none'],
      [{ platform: 'win32' }, 'unknown'],
      [{ fips: 1, refuses: ['chacha20-poly1305', 'md5'] }, 'fips'],
    ] as const) {
      const classes = await asked(host)
      expect(classes.map(({ id }: { id: string }) => id)).toEqual(['hardware', 'none', 'unknown', 'fips'])
      expect(classes.filter(({ here }: { here: boolean }) => here)).toMatchObject([{ id: mine }])
      expect(
        classes.map(({ algorithm }: { algorithm: string }) => algorithm),
        mine,
      ).toEqual(gets)
      expect(classes.map(({ rules }: { rules: string[] }) => rules[0])).toEqual(['V18', 'V19', 'V17', 'V2'])
      for (const { algorithm, command, here } of classes) {
        const settings = { host: fakeHost(host), today }
        const args = [...String(command).split(' ').slice(2), '--json', ...(here ? never : [])]
        const answer = JSON.parse((await said(args, settings)).out)
        expect((here ? answer : answer.after).selection.algorithm, command).toBe(algorithm)
      }
    }
  })

  it('answers a question that was asked already with the same answer', async () => {
    const context = new CliContext({ host: fakeHost(), cache: fileCache(folder), today })
    const backends = await context.backendsFor([])
    const evidence = await context.observe({ backends, measure: 'never' })
    const backend = { small: 'wasm', large: 'node', crossoverBytes: 1406 }
    const local = { algorithm: 'aes-128-gcm', backend, rules: ['V18'] } as const
    const [hardware, none] = await classAnswers(context, evidence, backends, local)
    expect(hardware).toMatchObject({ here: true, ...local })
    expect(none).toMatchObject({ here: false, algorithm: 'chacha20-poly1305' })
  })

  it.each([{}, { files: cpuinfo('ssse3') }, { fips: 1, refuses: ['chacha20-poly1305', 'md5'] }] as const)(
    'on %j says one thing of data that only this machine reads',
    async (host) => {
      const { out } = await said(['doctor', '--json', ...never], { host: fakeHost(host), today })
      const { choices, classes } = JSON.parse(out)
      const { algorithm, backend, rules } = classes.find(({ here }: { here: boolean }) => here)
      expect(choices[1]).toMatchObject({ id: 'local', algorithm, backend, rules })
    },
  )

  it.each([
    ['deno', {}, 'deno has no FIPS module'],
    ['bun', { boringssl: true }, 'bun has no FIPS module'],
    ['workerd', {}, 'workerd has no FIPS module'],
    ['node', { boringssl: true }, 'this node has no FIPS module'],
  ] as const)('%s %j is shown no module, and told who could have one', async (runtime, more, why) => {
    const settings = { host: fakeHost({ runtime, ...more }), today }
    const { out } = await said(['doctor', '--json', ...never], settings)
    const under = JSON.parse(out).classes.find(({ id }: { id: string }) => id === 'fips')
    expect(under).toMatchObject({ algorithm: null, backend: null, rules: [], here: false })
    expect(under.error.code).toBe('fips-unavailable')
    expect(under.error.message).toContain(why)
    expect(under.error.message).toMatch(/Node with one would get aes-128-gcm$/)
    expect(plain((await said(['doctor', ...never], settings)).out)).toContain(`nothing: ${why}`)
  })

  it('under a module leaves the hardware of this machine as it was timed', async () => {
    const evidence = await collectEvidence({
      host: fakeHost({ fips: 1, refuses: ['chacha20-poly1305', 'md5'] }),
      backends: [nodeBackend],
      given: {
        hardwareClass: 'hardware',
        measurements: [
          {
            backend: 'node',
            algorithm: 'aes-128-gcm',
            operation: 'seal',
            bytes: 65_536,
            nanoseconds: 40_000,
          },
        ],
      },
    })
    const asked: (Evidence | undefined)[] = []
    const context = {
      select(options: SelectOptions) {
        asked.push(options.evidence)
        return selectAead({ ...options, backends: [nodeBackend, nobleBackend] })
      },
    }
    const classes = await classAnswers(context as never, evidence, [nodeBackend])
    expect(classes.map(({ here, id }) => [id, here])).toEqual([
      ['hardware', false],
      ['none', false],
      ['unknown', false],
      ['fips', true],
    ])
    expect(asked.map((one) => one?.measurements.length)).toEqual([1, 0, 0, 1])
    expect(asked.map((one) => one?.source)).toEqual([evidence.source, 'given', 'given', evidence.source])
  })

  it('under a module lists no speed of what the module excludes, and says so', async () => {
    // Its own cache: what another test has timed must not be all there is.
    const own = mkdtempSync(join(tmpdir(), 'aeadkit-doctor-fips-'))
    const settings = {
      cache: fileCache(own),
      host: fakeHost({
        fips: 1,
        refuses: ['chacha20-poly1305', 'md5'],
        clock: { now: () => performance.now() },
      }),
      today,
    }
    const { fastest, leftOut, runs } = JSON.parse((await said(['doctor', '--json'], settings)).out)
    const page = plain((await said(['doctor'], settings)).out)
    rmSync(own, { recursive: true, force: true })
    expect(runs.fips.state).toBe('enforcing')
    expect(new Set(fastest.map(({ backend }: { backend: string }) => backend))).toEqual(new Set(['node']))
    expect(leftOut.backends).toEqual(expect.arrayContaining(['wasm', 'noble']))
    expect(leftOut.backends).not.toContain('node')
    expect(page).toContain(`left out: ${leftOut.backends.join(', ')}, ${leftOut.reason}`)
    expect(leftOut.reason).toMatch(/outside the FIPS module that is in force/)
  }, 60_000)

  it('without a module leaves nothing out', async () => {
    const measurements = ['node', 'noble'].map((backend) => {
      return { backend, algorithm: 'aes-128-gcm', operation: 'seal', bytes: 64, nanoseconds: 9 } as const
    })
    for (const [host, leftOut] of [
      [fakeHost(), undefined],
      [fakeHost({ fips: 1, refuses: ['chacha20-poly1305', 'md5'] }), ['noble']],
    ] as const) {
      const evidence = await collectEvidence({ host, given: { measurements } })
      expect(leftOutOf(evidence, [nodeBackend, nobleBackend])?.backends).toEqual(leftOut)
    }
  })

  it('gives three actions at most and counts the others; all are in the JSON and with --details', async () => {
    const settings = {
      host: fakeHost({
        fips: 1,
        refuses: ['aes-128-gcm', 'md5'],
        variables: { OPENSSL_ia32cap: '0x0:0xffffffff' },
      }),
      today: () => new Date('2029-01-01T12:00:00Z'),
    }
    const { actions, findings } = JSON.parse((await said(['doctor', '--json', ...never], settings)).out)
    expect(actions.length).toBeGreaterThan(3)
    const texts = actions.map(({ text }: { text: string }) => text)
    expect(new Set(texts).size).toBe(texts.length)
    expect(findings.length).toBeGreaterThan(actions.length)
    const short = plain((await said(['doctor', ...never], settings)).out)
    expect(short).toContain(`- ${actions.length - 3} more with --details`)
    for (const [at, text] of texts.entries()) expect(short.includes(plain(text)), text).toBe(at < 3)
    const long = plain((await said(['doctor', '--details', ...never], settings)).out)
    for (const text of texts) expect(long).toContain(plain(text))
    expect(long).not.toContain('more with --details')
  })

  it('a page that lists a problem and nothing to do says why', async () => {
    const { out } = await said(['doctor', '--json', ...never], { host: fakeHost(), today })
    const diagnosis = JSON.parse(out)
    const page = (findings: readonly Finding[]): string =>
      plain(pageText({ ...diagnosis, findings, actions: [] }, false))
    expect(page([])).toMatch(/What to do - nothing ?$/)
    expect(page([{ id: 'x', problem: 'no AES', settled: 'a CPU stays as it is' }])).toMatch(
      /What to do - nothing: a CPU stays as it is ?$/,
    )
  })

  it('fits on a page: lines of at most 100 columns, not more than 60 of them', async () => {
    const { out } = await said(['doctor', ...never], { host: fakeHost(), today })
    const lines = stripVTControlCharacters(out).split('\n')
    expect(lines.length).toBeLessThanOrEqual(60)
    // A command stays in one line: copied from two it would run as two.
    const commands = lines.filter((line) => line.startsWith('    npx aeadkit '))
    expect(commands).toHaveLength(4)
    expect(lines.filter((line) => line.length > 100 && !commands.includes(line))).toEqual([])
    const { choices } = JSON.parse(
      (await said(['doctor', '--json', ...never], { host: fakeHost(), today })).out,
    )
    expect(commands.map((line) => line.trim())).toEqual(choices.map(({ command }: Choice) => command))
  })

  it('of a machine with half of the hardware names the half that is missing', async () => {
    const page = async (variables: Readonly<Record<string, string>>): Promise<string> =>
      plain((await said(['doctor', ...never], { host: fakeHost({ variables }), today })).out)
    const masked = await page({ OPENSSL_ia32cap: '~0x200000000:~0x0' })
    expect(masked).toContain('AES-GCM runs without carry-less multiply;')
    expect(masked).toMatch(/no AES hardware, or half chacha20-poly1305 on \w+ \(V22\): this machine/)
    expect(await page({ OPENSSL_ia32cap: '~0x200000200000000:~0x0' })).toContain(
      'AES-GCM runs without instructions;',
    )
  })

  it('of a machine where all is well asks for nothing', async () => {
    const { out } = await said(['doctor', '--json', ...never], { host: fakeHost(), today })
    const { actions, findings } = JSON.parse(out)
    expect(findings.map(({ id }: { id: string }) => id)).toEqual(['unmeasured'])
    expect(actions).toHaveLength(1)
  })

  it('says what lacks an algorithm, and claims nothing of what was not tried', async () => {
    const page = plain((await said(['doctor', ...never])).out)
    expect(page).toMatch(/\(declined without being tried: it is experimental where Node has it\)/)
    // From Node 24.22 on it has them all.
    if (process.versions.node.startsWith('20.'))
      expect(page).toContain(`(OpenSSL ${process.versions.openssl} does not know this cipher`)
  })

  it('what a selection had no need to test is not said to be missing', async () => {
    const loaded = await loadBackends(undefined, [])
    const { evidence } = await selectAead({ backends: loaded.backends, measure: 'never' })
    const runs = runsOf(evidence, evidence, loaded)
    const node = runs.backends.find(({ name }) => name === 'node')
    expect(node?.works).toContain('xchacha20-poly1305')
    expect(node?.untested).toContain('aes-256-gcm')
    expect(node?.lacks.map(({ algorithm }) => algorithm)).not.toContain('aes-256-gcm')
    const text = plain(runsText(runs))
    expect(text).toMatch(/there, and not needed here: .*aes-256-gcm/)
    expect(text).not.toMatch(/lacks: [^(]*aes-256-gcm(?!-siv)/)
  })

  it('--details adds every observation and timing, which the page leaves out', async () => {
    const short = (await said(['doctor', ...never])).out
    const long = (await said(['doctor', '--details', ...never])).out
    expect(long.startsWith(short.slice(0, 200))).toBe(true)
    expect(short).not.toContain('process.versions.openssl')
    for (const text of ['Evidence', 'process.versions.openssl', 'Every timing']) expect(long).toContain(text)
  })

  it('--report with --facts or --details is refused', async () => {
    for (const other of ['--facts', '--details'])
      expect((await said(['doctor', '--report', other, '--json'])).code).toBe(2)
  })
})

describe('keygen', () => {
  it('under FIPS says that its default is not on the list, beside the key and never in it', async () => {
    const enforcing = { host: fakeHost({ fips: 1, refuses: ['chacha20-poly1305', 'md5'] }) }
    const { code, err, out } = await said(['keygen'], enforcing)
    expect(code).toBe(0)
    expect(out).toMatch(/^aeadkit-key:1:xchacha20-poly1305:\S+\n$/)
    expect(err).toMatch(/^notice: .* FIPS 140-3 does not list xchacha20-poly1305: npx aeadkit select/)
    expect((await said(['keygen', '--algorithm', 'aes-256-gcm'], enforcing)).err).toBe('')
    expect((await said(['keygen'], { host: fakeHost() })).err).toBe('')
  })
})

describe('child processes', () => {
  function mac() {
    const asked: string[] = []
    const host = fakeHost({
      platform: 'darwin',
      arch: 'x64',
      files: {},
      run(command, args) {
        asked.push(`${command} ${args.join(' ')}`)
        if (args[0] !== 'machdep.cpu.features') return { state: 'absent' }
        return { state: 'read', text: `${args[0]}: FPU SSSE3 PCLMULQDQ AES` }
      },
    })
    return { asked, host }
  }

  it.each([['doctor'], ['select'], ['explain'], ['explain --what-if nonce=counter']])(
    'are run by the command line: %s',
    async (line) => {
      const { asked, host } = mac()
      const args = [...line.split(' '), ...(line.includes('--what-if') ? [] : never)]
      expect((await said(args, { host, today })).code).toBe(0)
      expect(asked).toContain('sysctl machdep.cpu.features')
    },
  )

  it('are not run by the library unless it is allowed', async () => {
    const { asked, host } = mac()
    expect((await collectEvidence({ host })).aes).toBe('unknown')
    expect(asked).toEqual([])
    expect((await collectEvidence({ host, allowSpawn: true })).aes).toBe('yes')
    expect(asked.length).toBeGreaterThan(0)
  })

  it('selectAead takes the permission as an option', async () => {
    const options = { backends: [nodeBackend], measure: 'never' as const }
    expect((await selectAead({ ...options, allowSpawn: true })).algorithm).toBe('xchacha20-poly1305')
    await expect(selectAead({ ...options, allowSpawn: 1 as never })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  })
})

describe('facts', () => {
  it('are listed oldest first, each with its day, age, what makes it stale and where to look', async () => {
    const { code, out } = await said(['doctor', '--facts', '--json'], { today })
    const { facts, today: day } = JSON.parse(out)
    expect([code, day]).toEqual([0, '2026-12-01'])
    const ages = facts.map(({ ageDays }: { ageDays: number }) => ageDays)
    expect(ages).toEqual([...ages].sort((a, b) => b - a))
    expect([ages[0], ages.at(-1)]).toEqual([79, 1])
    for (const { asOf, old, recheck, staleWhen, text } of facts) {
      expect(asOf).toMatch(/^2026-\d\d-\d\d$/)
      expect([old, text.length > 10, staleWhen.length > 0, recheck.length > 3]).toEqual([
        false,
        true,
        true,
        true,
      ])
    }
    const ids = facts.map(({ id }: { id: string }) => id)
    for (const id of [
      'tls-options-node',
      'tls-options-bun',
      'tls-options-deno',
      'hypervisor-models',
      'vaes-path',
      'node-call-cost',
      'ssh-terrapin',
      'openvpn-dco',
    ])
      expect(ids).toContain(id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ['speed-ratios', 'aes-128-gcm.fips', 'node.aes-128-gcm.constantTime'])
      expect(ids).toContain(id)
  })

  it('a year later are old, on paper and in the JSON, and doctor says what to do', async () => {
    const later = { today: () => new Date('2027-10-01T12:00:00Z') }
    const { facts } = JSON.parse((await said(['doctor', '--facts', '--json'], later)).out)
    const old = facts.filter((fact: { old: boolean }) => fact.old)
    expect(old.length).toBeGreaterThan(0)
    expect(old.length).toBeLessThan(facts.length)
    const page = (await said(['doctor', '--facts'], later)).out
    expect(page).toContain(`${old.length} were last checked more than a year ago`)
    expect(page).toMatch(/Checked 2026-09-13, 383 days ago: OLD/)
    expect(page).toMatch(/Checked 2026-11-30, 305 days ago/)
    const { actions } = JSON.parse((await said(['doctor', '--json', ...never], later)).out)
    expect(actions.at(-1)).toMatchObject({ id: 'old-facts', text: expect.stringMatching(/update aeadkit/) })
  })

  it('name every algorithm on paper', async () => {
    const { out } = await said(['doctor', '--facts'], { today })
    for (const id of Object.keys(ALGORITHMS)) expect(out).toContain(id)
  })

  it.each(['explain', 'select'])('%s prints a notice when one it rests on is old', async (command) => {
    const now = await said([command, ...never], { today })
    expect(now.out).not.toContain('Notices')
    const later = await said([command, ...never], { today: () => new Date('2027-10-01T12:00:00Z') })
    expect(plain(later.out)).toMatch(/Notices - last checked 2026-09-13, 383 days ago: xchacha20-draft/)
    expect(later.out).not.toContain('speed-ratios; stale')
  })
})

it('a host of its own is the real one', () => expect(createHost().runtime).toBe('node'))
