import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setUpFips, whyNoFips } from '@aeadkit-internal/fips'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ENTRY = fileURLToPath(new URL('../src/index.ts', import.meta.url))

const reason = whyNoFips()

describe('under an OpenSSL FIPS provider', () => {
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'aeadkit-fips-'))
    if (reason !== undefined) return
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
    const setup = setUpFips()
    const text = execFileSync(process.execPath, [...setup.args, '--input-type=module', '-e', script], {
      env: { ...process.env, ...setup.env },
      encoding: 'utf8',
    })
    setup.dispose()
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
