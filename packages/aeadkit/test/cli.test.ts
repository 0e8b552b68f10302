import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeKey } from '@aeadkit/core'
import { setUpFips, whyNoFips } from '@aeadkit-internal/fips'
import { afterAll, describe, expect, it } from 'vitest'
import { cli, cliJson } from './child.ts'

const BOTH_MASKED = { OPENSSL_ia32cap: '~0x200000200000000:~0x60000000000' }
const MULTIPLY_MASKED = { OPENSSL_ia32cap: '~0x200000000:~0x60000000000' }

function flagsOfCpu(): readonly string[] {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  return /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1]?.trim().split(/\s+/) ?? []
}

const flags = flagsOfCpu()
const hardware = flags.includes('aes') && flags.includes('pclmulqdq')
if (!hardware)
  console.log('3 tests skipped: this is not an x86-64 Linux machine with AES and carry-less multiply')

describe('select', () => {
  it.each<[string, readonly string[], string, string]>([
    ['no arguments', [], 'xchacha20-poly1305', 'portable'],
    ['counter nonces', ['--nonce', 'counter'], 'chacha20-poly1305', 'portable'],
    ['a given algorithm', ['--algorithm', 'aes-256-gcm', '--nonce', 'counter'], 'aes-256-gcm', 'portable'],
  ])('%s', async (_, args, algorithm, verdictClass) => {
    const { code, json } = await cliJson(['select', ...args])
    expect(code).toBe(0)
    expect(json).toMatchObject({ algorithm, backend: expect.anything(), verdict: { class: verdictClass } })
    expect(json.limits.messages).toMatch(/^\d+$/)
  })

  it.skipIf(!hardware)('takes AES-GCM on this hardware', async () => {
    const { json } = await cliJson(['select', '--readers', 'here', '--nonce', 'counter'])
    expect(json).toMatchObject({
      algorithm: 'aes-128-gcm',
      verdict: { class: 'hardware-aes', rules: ['V18'] },
    })
  })

  it.skipIf(!hardware).each([
    ['both halves', BOTH_MASKED, 'V19'],
    ['the multiply alone', MULTIPLY_MASKED, 'V22'],
  ])('sees a mask over %s, though the kernel still lists aes', async (_, env, rule) => {
    const { json } = await cliJson(['select', '--readers', 'here', '--nonce', 'counter'], { env })
    expect(json).toMatchObject({
      algorithm: 'chacha20-poly1305',
      verdict: { class: 'no-hardware-aes', rules: [rule] },
    })
    // Slower by so much that a timing shows it, unless the machine is busy: then the mask itself is believed.
    expect(['measured', 'flags']).toContain(json.evidence.source)
    const doctor = await cliJson(['doctor'], { env })
    const item = (name: string) =>
      doctor.json.evidence.items.find((one: { name: string }) => one.name === name)
    expect(item('cpu.flags.aes').value).toBe('yes')
    expect(doctor.json.actions.map(({ id }: { id: string }) => id)).toContain('mask')
  })

  it('refuses a FIPS module that is not there, naming the provider', async () => {
    const { code, json } = await cliJson(['select', '--fips', 'module'])
    expect(code).toBe(1)
    expect(json.code).toBe('fips-unavailable')
    expect(json.message).toMatch(/provider/)
  })

  const missing = whyNoFips()
  if (missing !== undefined) console.log(`1 test skipped: ${missing}`)
  it.skipIf(missing !== undefined)(
    'takes AES-GCM under a FIPS provider and lists ChaCha20 as excluded',
    async () => {
      const setup = setUpFips()
      const { code, json } = await cliJson(['select', '--fips', 'module'], {
        env: setup.env,
        nodeArgs: setup.args,
      })
      setup.dispose()
      expect(code).toBe(0)
      expect(json).toMatchObject({
        algorithm: 'aes-128-gcm',
        backend: 'node',
        evidence: { fips: { state: 'enforcing' } },
      })
      const chacha = json.verdict.rejected.filter(
        ({ algorithm }: { algorithm: string }) => algorithm === 'chacha20-poly1305',
      )
      expect(chacha[0].reason).toMatch(/excluded: FIPS/)
      expect(JSON.stringify(json)).not.toMatch(/validated|proven/i)
    },
  )
})

describe('select where the protocol decides', () => {
  it('prints order, settings and why', async () => {
    const args = ['--context', 'ssh-client', '--measure', 'never']
    const { stdout } = await cli(['select', ...args])
    const { json } = await cliJson(['select', ...args])
    expect(stdout).toMatch(/^no single cipher for ssh-client: the protocol decides/)
    expect(stdout).toContain(`order: ${json.verdict.advice.order.join(', ')}`)
    expect(stdout).toContain('ssh_config: Host *')
    expect(stdout).toMatch(/leads: nothing is known of the other end/)
  })
  it('and where nothing with a tag fits', async () => {
    const { stdout } = await cli(['select', '--context', 'disk-sector', '--measure', 'never'])
    expect(stdout).toMatch(/^no single cipher for disk-sector: no AEAD fits a sector/)
    expect(stdout).toContain('cryptsetup: cryptsetup luksFormat')
  })
})

describe('explain and doctor', () => {
  it('explain tells what, why, what was passed over, what to watch, and dates', async () => {
    const { code, stdout } = await cli(['explain'])
    expect(code).toBe(0)
    for (const title of ['Chosen', 'Why', 'Passed over', 'What to watch', 'Facts used'])
      expect(stdout).toContain(title)
    expect(stdout).toMatch(/xchacha20-poly1305 on backend/)
    expect(stdout).toMatch(/aes-128-gcm: V17/)
    expect(stdout).toMatch(/checked 20\d\d-\d\d-\d\d/)
  })

  it('explain answers a protocol with an order instead of one cipher', async () => {
    const { code, json } = await cliJson(['explain', '--context', 'tls-server'])
    expect(code).toBe(0)
    expect(json.selection).toMatchObject({ algorithm: null, verdict: { class: 'protocol', rules: ['V6'] } })
  })

  it('doctor shows what runs, how fast, what is slow, what would be chosen and what to do', async () => {
    const { code, stdout } = await cli(['doctor'])
    expect(code).toBe(0)
    for (const title of [
      'What runs here',
      'Fastest here',
      'What is slow or wrong, and why',
      'What would be chosen',
      'What to do',
    ]) {
      expect(stdout).toContain(title)
    }
  })

  it('doctor --report is what --readers takes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aeadkit-report-'))
    const { stdout } = await cli(['doctor', '--report', '--measure', 'never'])
    const report = JSON.parse(stdout) as Record<string, string>
    expect(Object.keys(report).sort()).toEqual(['aes', 'asOf', 'clmul', 'name', 'runtime'])
    const { writeFileSync } = await import('node:fs')
    const path = join(folder, 'report.json')
    writeFileSync(path, JSON.stringify([{ ...report, aes: 'no' }]))
    const { json } = await cliJson(['select', '--readers', path, '--nonce', 'counter'])
    rmSync(folder, { recursive: true, force: true })
    expect(json).toMatchObject({ algorithm: 'chacha20-poly1305', verdict: { class: 'no-hardware-aes' } })
  })
})

describe('colour', () => {
  const limits = ['limits', '--algorithm', 'aes-128-gcm', '--volume', '2TiB']
  it.each([
    ['in a pipe under CI', { NO_COLOR: '', CI: 'true' }, false],
    ['in a pipe', { NO_COLOR: '', CI: '' }, false],
    ['where it is forced', { NO_COLOR: '', FORCE_COLOR: '1' }, true],
    ['where it is unwanted', { NO_COLOR: '1', CI: 'true' }, false],
  ])('%s', async (_, env, coloured) => {
    for (const args of [['advise', 'ssh', '--measure', 'never'], limits, ['select', '--bogus']]) {
      const { stdout, stderr } = await cli(args, { env })
      expect((stdout + stderr).length).toBeGreaterThan(20)
      expect((stdout + stderr).includes('\u001b['), args.join(' ')).toBe(coloured)
    }
  })
})

describe('limits', () => {
  it('a count is never shown larger than it is', async () => {
    const { stdout } = await cli(['limits', '--algorithm', 'xaes-256-gcm'])
    // 2^59.9986
    expect(stdout).toContain('1 151 796 703 138 937 856 (2^59.99)')
  })
  const gcm = ['limits', '--algorithm', 'aes-128-gcm', '--nonce', 'counter', '--message-bytes', '65536']

  it('is exact', async () => {
    const { code, json } = await cliJson([...gcm, '--target', '-57'])
    expect(code).toBe(0)
    expect(json).toMatchObject({ messages: '16773120', bindingBound: 'confidentiality', basis: 'formula' })
  })

  it('refuses one tebibyte at 2^-57 and takes it at 2^-50', async () => {
    const tooMuch = await cliJson([...gcm, '--target', '-57', '--messages', '16777216'])
    expect(tooMuch).toMatchObject({ code: 1, json: { code: 'limit-exceeded' } })
    expect(await cliJson([...gcm, '--target', '-50', '--messages', '2^24'])).toMatchObject({ code: 0 })
  })
})

describe('keygen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aeadkit-keygen-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('prints a key that decodes', async () => {
    const { code, stdout } = await cli(['keygen', '--algorithm', 'aes-256-gcm'])
    expect(code).toBe(0)
    expect(decodeKey(stdout).algorithm).toBe('aes-256-gcm')
  })

  it('writes a new file for its owner only, and never over an old one', async () => {
    const path = join(folder, 'secret.key')
    const first = await cliJson(['keygen', '--out', path])
    expect(first.code).toBe(0)
    const text = readFileSync(path, 'utf8')
    expect(decodeKey(text).keyId).toBe(first.json.keyId)
    expect(JSON.stringify(first.json)).not.toContain(text.split(':')[4]!)
    expect(statSync(path).mode & 0o077).toBe(0)
    const second = await cliJson(['keygen', '--out', path])
    expect(second).toMatchObject({ code: 2, json: { code: 'invalid-argument' } })
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(existsSync(`${path}.tmp`)).toBe(false)
  })
})

describe('wrong use ends with 2, a code and a message', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['an unknown command', ['selct'], /Did you mean select/],
    ['an unknown option', ['select', '--nonse', 'counter'], /Did you mean --nonce/],
    ['an unknown value', ['select', '--context', 'tls-serv'], /did you mean tls-server/],
    ['an unknown algorithm', ['select', '--algorithm', 'aes-265-gcm'], /did you mean aes-256-gcm/],
    ['an unknown algorithm of limits', ['limits', '--algorithm', 'rc4'], /unknown algorithm/],
    ['no algorithm', ['limits'], /--algorithm/],
    ['an unknown regime', ['limits', '--algorithm', 'aes-128-gcm', '--nonce', 'zzz'], /random, counter/],
    ['not a number', ['select', '--messages', 'many'], /whole number/],
    ['a negative volume', ['select', '--messages', '-5'], /--messages takes a whole number above 0, got -5/],
    ['a target above 0', ['select', '--target', '5'], /target/],
    ['a fractional target', ['limits', '--algorithm', 'aes-128-gcm', '--target', '-57.5'], /whole number/],
    ['readers that are no file', ['select', '--readers', '/does/not/exist'], /hardware reports/],
    ['an unknown permission', ['select', '--opt-in', 'everything'], /aegis/],
    ['a wrong boolean', ['select', '--whole-message', 'maybe'], /true or false/],
    [
      'no key bits of that number',
      ['select', '--key-bits', '192'],
      /--key-bits takes one of 128, 256, got 192/,
    ],
  ])('%s', async (_, args, message) => {
    const plain = await cli(args)
    expect(plain.code).toBe(2)
    expect(plain.stdout).toBe('')
    expect(plain.stderr).toMatch(message)
    const { code, json } = await cliJson(args)
    expect(code).toBe(2)
    expect(json).toMatchObject({
      code: 'invalid-argument',
      message: expect.stringMatching(message),
      details: {},
    })
  })

  it.each(['doctor', 'select', 'explain', 'limits', 'keygen', 'advise'])(
    '%s --help ends with 0',
    async (command) => {
      const { code, stdout } = await cli([command, '--help'])
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining(`aeadkit ${command} [options]`),
      })
    },
  )

  it('help and version end with 0', async () => {
    expect((await cli(['--help'])).code).toBe(0)
    expect((await cli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
