import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const PROVIDER = fileURLToPath(new URL('../../../../shared/fips/fips.so', import.meta.url))
const ENTRY = fileURLToPath(new URL('../src/index.ts', import.meta.url))

function whyNot(): string | undefined {
  if (!existsSync(PROVIDER)) return 'no FIPS provider at ../shared/fips'
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'the FIPS provider is built for x86-64 Linux'
  if (spawnSync('openssl', ['version']).status !== 0) return 'no openssl command to run its self-tests'
  return undefined
}

const reason = whyNot()

describe('under an OpenSSL FIPS provider', () => {
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'aeadkit-fips-'))
    if (reason !== undefined) return
    const module = join(folder, 'fipsmodule.cnf')
    execFileSync('openssl', ['fipsinstall', '-out', module, '-module', PROVIDER], { stdio: 'ignore' })
    writeFileSync(
      join(folder, 'fips.cnf'),
      `nodejs_conf = nodejs_init
openssl_conf = nodejs_init
.include ${module}
[nodejs_init]
providers = provider_sect
alg_section = algorithm_sect
[provider_sect]
default = default_sect
fips = fips_sect
base = base_sect
[default_sect]
activate = 1
[base_sect]
activate = 1
[algorithm_sect]
default_properties = fips=yes
`,
    )
    await build({
      configFile: false,
      logLevel: 'error',
      ssr: { noExternal: true },
      build: {
        ssr: ENTRY,
        outDir: folder,
        emptyOutDir: false,
        rolldownOptions: { output: { entryFileNames: 'backend.mjs' } },
      },
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('imports, has the AES modes that are approved, and says why ChaCha20-Poly1305 is missing', ({
    skip,
  }) => {
    if (reason !== undefined) {
      console.log(`FIPS child process skipped: ${reason}`)
      skip(reason)
    }
    const script = `
      const { nodeBackend } = await import(${JSON.stringify(pathToFileURL(join(folder, 'backend.mjs')).href)})
      const { getFips } = await import('node:crypto')
      const answers = Object.fromEntries(nodeBackend.algorithms.map((id) => [id, nodeBackend.probeSync(id)]))
      console.log(JSON.stringify({ fips: getFips(), answers }))`
    const text = execFileSync(process.execPath, ['--enable-fips', '--input-type=module', '-e', script], {
      env: { ...process.env, OPENSSL_CONF: join(folder, 'fips.cnf'), OPENSSL_MODULES: dirname(PROVIDER) },
      encoding: 'utf8',
    })
    const { fips, answers } = JSON.parse(text) as {
      fips: number
      answers: Record<string, { available: boolean; stage?: string; reason?: string }>
    }
    expect(fips).toBe(1)
    for (const id of ['aes-128-gcm', 'aes-256-gcm', 'xaes-256-gcm']) {
      expect(answers[id], id).toEqual({ available: true })
    }
    // Node seals with CCM under FIPS and refuses to open: half of it is none of it.
    for (const id of ['aes-128-ccm', 'aes-256-ccm']) {
      expect(answers[id], id).toMatchObject({ available: false, stage: 'absent' })
      expect(answers[id]!.reason).toContain('FIPS')
    }
    for (const id of ['chacha20-poly1305', 'xchacha20-poly1305']) {
      expect(answers[id], id).toMatchObject({ available: false, stage: 'absent' })
      expect(answers[id]!.reason).toContain('ERR_OSSL_EVP_UNSUPPORTED')
    }
  })
})
