import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setUpFips, whyNoFips } from '@aeadkit-internal/fips'
import { afterAll, describe, expect, it } from 'vitest'
import { cli, cliJson } from './child.ts'

const NEVER = ['--measure', 'never']
const noFips = whyNoFips()
if (noFips !== undefined) console.log(`1 test of advise under a FIPS provider left out: ${noFips}`)
const folder = mkdtempSync(join(tmpdir(), 'aeadkit-advise-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('advise', () => {
  it.each(['tls', 'nginx', 'ssh', 'openvpn'])(
    '%s prints the setting, why, what to know and the source',
    async (protocol) => {
      const { code, stderr, stdout } = await cli(['advise', protocol, ...NEVER])
      expect(code).toBe(0)
      expect(stderr).toBe('')
      for (const title of ['Why', 'What to know', 'Source']) expect(stdout).toContain(`\n${title}\n`)
      const { json } = await cliJson(['advise', protocol, ...NEVER])
      for (const line of String(json.text).split('\n')) expect(stdout).toContain(line)
      expect(json).toMatchObject({ asOf: '2026-11-30', rule: expect.stringMatching(/^V[678]$/) })
    },
  )

  it('R38: speeds decide and are told', async () => {
    const gcm = await cliJson(['advise', 'ssh', '--speeds', '413:234'])
    expect(gcm.json.ciphers[0]).toBe('aes128-gcm@openssh.com')
    expect(gcm.json.measured.ratio).toBeCloseTo(1.765, 2)
    const { stdout } = await cli(['advise', 'ssh', '--speeds', '70:300'])
    expect(stdout).toMatch(/Ciphers chacha20-poly1305@openssh\.com,/)
    expect(stdout).toMatch(/ChaCha20-Poly1305 is 4\.29 times as fast/)
    expect(stdout).toMatch(/grep -o -w -E 'aes\|p/)
  })

  it('--measure times this machine and tells the ratio', async () => {
    const { json } = await cliJson(['advise', 'openvpn', '--measure', 'always'])
    expect(json.measured.ratio).toBeGreaterThan(0)
    expect(json.measured.text).toMatch(/measured here \(node\)/)
    expect(json.hardware.why).toMatch(/^here: /)
  })

  it('--readers takes reports of other machines', async () => {
    const file = join(folder, 'pi4.json')
    writeFileSync(file, JSON.stringify({ name: 'raspberry-pi-4', aes: 'no', clmul: 'no' }))
    const { json } = await cliJson(['advise', 'openvpn', '--hardware', 'hardware', '--readers', file])
    expect(json.ciphers[0]).toBe('CHACHA20-POLY1305')
    expect(json.reasons.join()).toContain('raspberry-pi-4')
    const anywhere = await cliJson(['advise', 'ssh', '--hardware', 'hardware', '--readers', 'anywhere'])
    expect(anywhere.json.ciphers[0]).toBe('chacha20-poly1305@openssh.com')
  })

  it('under FIPS only approved suites, and says where that is not kept', async () => {
    const nginx = await cliJson(['advise', 'nginx', '--fips', 'approved-algorithms', ...NEVER])
    expect(nginx.json.text).not.toMatch(/chacha/i)
    const deno = await cli(['advise', 'tls', '--runtime', 'deno', '--fips', 'approved-algorithms', ...NEVER])
    expect(deno.stdout).toMatch(/What this runtime does not obey/)
    expect(deno.stdout).toMatch(/not met on deno/)
  })

  it.skipIf(noFips !== undefined)(
    'under a FIPS provider binds by itself, and the probe works there',
    async () => {
      const fips = setUpFips()
      try {
        const options = { env: fips.env, nodeArgs: fips.args }
        const { code, json } = await cliJson(['advise', 'tls', '--probe', ...NEVER], options)
        expect(code).toBe(0)
        expect(json.options.ciphers).not.toMatch(/CHACHA/)
        expect(json.probe).toMatchObject({ state: 'done', effects: { 'TLSv1.3': { serverCiphers: 'yes' } } })
        for (const { order, server } of json.probe.orders) {
          expect(server.chosen).toMatch(/_AES_(128|256)_GCM_/)
          expect(order).toContain(server.chosen)
        }
      } finally {
        fips.dispose()
      }
    },
  )

  it('--probe shows what this Node takes', async () => {
    const { code, json } = await cliJson(['advise', 'tls', '--probe', ...NEVER])
    expect(code).toBe(0)
    expect(json.probe).toMatchObject({ state: 'done', runtime: 'node', ignored: [] })
    expect(json.probe.orders).toHaveLength(6)
    const { stdout } = await cli(['advise', 'tls', '--probe', '--role', 'client', '--hardware', 'none'])
    expect(stdout).toMatch(
      /TLSv1\.3 +CHACHA20_POLY1305, AES_128_GCM, AES_256_GCM +CHACHA20_POLY1305 +CHACHA20_POLY1305/,
    )
    const other = await cliJson(['advise', 'tls', '--probe', '--runtime', 'bun', ...NEVER])
    expect(other.json.probe).toMatchObject({
      state: 'unavailable',
      reason: expect.stringContaining('run the command on bun'),
    })
  })

  it.each<[string, string[], RegExp]>([
    ['no protocol', ['advise'], /missing required argument/],
    [
      'a protocol that is none',
      ['advise', 'quic'],
      /<protocol> takes one of tls, nginx, ssh, openvpn, got "quic"/,
    ],
    [
      'a role that is none',
      ['advise', 'tls', '--role', 'proxy'],
      /--role takes one of server, client, got "proxy"/,
    ],
    ['speeds that are none', ['advise', 'ssh', '--speeds', '0:1'], /two speeds above 0/],
    ['a probe of nginx', ['advise', 'nginx', '--probe', ...NEVER], /--probe is for tls, not for nginx/],
    [
      'a version for ssh',
      ['advise', 'ssh', '--min-version', 'TLSv1.3', ...NEVER],
      /--min-version is for tls and nginx/,
    ],
    [
      'a host that would be more lines',
      ['advise', 'ssh', '--host', 'a\nb', ...NEVER],
      /patterns of a Host line/,
    ],
  ])('%s is wrong use', async (_, args, message) => {
    const { code, stderr } = await cli(args)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
    const { code: again, json } = await cliJson(args)
    expect(again).toBe(2)
    expect(json.code).toBe('invalid-argument')
  })

  it('a list without a cipher there is a failure, with its rules', async () => {
    const { code, json } = await cliJson(['advise', 'openvpn', '--regulation', 'gost', ...NEVER])
    expect(code).toBe(1)
    expect(json).toMatchObject({ code: 'no-candidate', details: { rules: ['V8', 'V3'] } })
  })
})
