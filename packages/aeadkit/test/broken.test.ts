import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cli, cliJson, runNode } from './child.ts'

const INDEX = pathToFileURL(resolve(import.meta.dirname, '../dist/index.js')).href

/** What Node says of a package that imports a file which is not there (libsodium-wrappers had such releases). */
const MESSAGE = "Cannot find module 'libsodium.mjs' imported from libsodium-wrappers.mjs"

/** Makes an import fail in a child process as a broken package does. */
const HOOK = `
import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(\`
export async function resolve(specifier, context, next) {
  if (specifier === '\${process.env.BROKEN}')
    throw Object.assign(new Error(${JSON.stringify(MESSAGE)}), { code: 'ERR_MODULE_NOT_FOUND' })
  return next(specifier, context)
}\`))
`

describe('a backend whose package is broken (R29)', () => {
  let folder: string
  let nodeArgs: readonly string[]
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'aeadkit-broken-'))
    writeFileSync(join(folder, 'hook.mjs'), HOOK)
    nodeArgs = ['--import', pathToFileURL(join(folder, 'hook.mjs')).href]
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  // libsodium is loaded only where AEGIS may be picked.
  const AEGIS = "{ optIn: { aegis: true }, readers: 'here', measure: 'never' }"
  it.each([
    ['@aeadkit/backend-node', 'node', "{ measure: 'never' }"],
    ['@aeadkit/backend-wasm', 'wasm', "{ measure: 'never' }"],
    ['@aeadkit/backend-noble', 'noble', "{ measure: 'never' }"],
    ['@aeadkit/backend-sodium', 'sodium', AEGIS],
    ['libsodium-wrappers', 'sodium', AEGIS],
  ])('%s: the others go on, and the explanation names the failure', async (broken, backend, options) => {
    const script = `
      const kit = await import(${JSON.stringify(INDEX)})
      const pick = await kit.selectAead(${options})
      const sealer = await pick.createSealer(pick.generateKey())
      const opened = await sealer.decrypt(await sealer.encrypt(new Uint8Array(5)))
      console.log(JSON.stringify({ backend: pick.backend, opened: opened.length, told: kit.explain(pick).passedOver }))`
    const outcome = await runNode([...nodeArgs, '--input-type=module', '-e', script], {
      env: { BROKEN: broken },
    })
    expect(outcome.stderr).toBe('')
    const { opened, told, ...rest } = JSON.parse(outcome.stdout)
    expect(opened).toBe(5)
    expect(rest.backend).not.toBe(backend)
    const lines = told.filter((line: string) => line.startsWith('backend '))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`^backend ${backend}: unavailable: could not be loaded: `))
    expect(lines[0]).toContain(MESSAGE)
  })

  it('the command line tells it, and refuses what only that backend has with the reason', async () => {
    const env = { BROKEN: '@aeadkit/backend-sodium' }
    const told = await cli(['explain', '--readers', 'here', '--opt-in', 'aegis'], { env, nodeArgs })
    expect(told.code).toBe(0)
    expect(told.stdout).toContain(`backend sodium: unavailable: could not be loaded: Error: ${MESSAGE}`)
    const refused = await cliJson(['select', '--algorithm', 'aegis-256', '--opt-in', 'aegis'], {
      env,
      nodeArgs,
    })
    expect(refused.code).toBe(1)
    expect(refused.json.code).toBe('no-candidate')
    expect(refused.json.message).toContain(`sodium: could not be loaded: Error: ${MESSAGE}`)
  })

  it('a stored selection is restored on what is left, and a refusal names the failure', async () => {
    const script = `
      const kit = await import(${JSON.stringify(INDEX)})
      const pick = await kit.selectAead({ measure: 'never' })
      const stored = { ...pick.toJSON(), algorithm: 'aegis-256' }
      const again = await kit.restoreSelection(JSON.stringify(pick))
      const refusal = await kit.restoreSelection(stored).catch(({ code, message }) => ({ code, message }))
      console.log(JSON.stringify({ algorithm: again.algorithm, refusal }))`
    const { stdout } = await runNode([...nodeArgs, '--input-type=module', '-e', script], {
      env: { BROKEN: 'libsodium-wrappers' },
    })
    const { algorithm, refusal } = JSON.parse(stdout)
    expect(algorithm).toBe('xchacha20-poly1305')
    expect(refusal.code).toBe('no-candidate')
    expect(refusal.message).toContain(MESSAGE)
  })
})
