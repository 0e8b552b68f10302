/** Reports about loading: broken packages, use before set-up, refused WebAssembly, CommonJS, types of results. */
import { createSodiumBackend, sodiumBackend } from '@aeadkit/backend-sodium'
import { createWasmBackend } from '@aeadkit/backend-wasm'
import { createAead, createAeadSync, isAeadError } from '@aeadkit/core'
import { explain } from '@aeadkit/selector'
import * as umbrella from 'aeadkit'

const KEY = Uint8Array.from({ length: 32 }, (_, i) => (7 * i + 3) & 0xff)

/** Entries that a CommonJS consumer asks for. */
const REQUIRED = {
  '@aeadkit/core': () => import('@aeadkit/core'),
  '@aeadkit/selector': () => import('@aeadkit/selector'),
  '@aeadkit/backend-noble': () => import('@aeadkit/backend-noble'),
  '@aeadkit/backend-wasm': () => import('@aeadkit/backend-wasm'),
  aeadkit: () => import('aeadkit'),
}

function check(condition, message) {
  if (!condition) throw new Error(message)
}

/** The code of a refusal; anything else is said as it is, and then is not what was expected. */
function codeOf(call) {
  try {
    call()
    return 'accepted'
  } catch (error) {
    return isAeadError(error) ? error.code : `${error?.name}: ${error?.message}`
  }
}

function wasmRefused() {
  try {
    new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))
    return false
  } catch {
    return true
  }
}

/**
 * Declares the cases.
 * @param options.require - `require` of runtimes that have one and may read files with it.
 */
export function loadCases({ describe, it }, backends, { measure = 'cached', require } = {}) {
  describe('reports about loading', () => {
    it('R29: a library whose module is not there is unavailable with the reason, and the others go on', async () => {
      const message = "Cannot find module 'libsodium.mjs'"
      const broken = {
        get ready() {
          return Promise.reject(Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' }))
        },
      }
      const loaded = await umbrella.loadBackends([
        { name: 'sodium', load: () => createSodiumBackend({ sodium: broken }) },
        { name: 'gone', load: () => Promise.reject(Object.assign(new Error(message), { code: 'MODULE' })) },
        ...backends
          .filter(({ name }) => name !== 'sodium')
          .map((backend) => ({ name: backend.name, load: async () => backend })),
      ])
      check(loaded.unavailable.length === 2, `unavailable: ${JSON.stringify(loaded.unavailable)}`)
      const pick = await umbrella.selectAead({ backends: loaded.candidates, measure })
      const sealer = await pick.createSealer(pick.generateKey())
      check((await sealer.decrypt(await sealer.encrypt(KEY))).length === KEY.length, 'it does not open')
      const { passedOver } = explain(pick)
      for (const name of ['sodium', 'gone']) {
        const line = passedOver.find((text) => text.startsWith(`backend ${name}: unavailable: `))
        check(line?.includes(message), `the explanation says of ${name}: ${line}`)
      }
    })
    it('R30: synchronous use before set-up is not-ready, and works after it', async () => {
      const backend = sodiumBackend()
      const id = 'chacha20-poly1305'
      const early = codeOf(() => createAeadSync(backend, id, KEY))
      check(early === 'not-ready', `sodium: ${early}`)
      try {
        await backend.ready()
      } catch (error) {
        // Without WebAssembly it never gets ready, and says so by a code of its own.
        check(isAeadError(error, 'unsupported') && wasmRefused(), `${error?.name}: ${error?.message}`)
        return
      }
      createAeadSync(backend, id, KEY).destroy()
    })
    it('R30: a kernel not compiled yet is not-ready or works, a refused one is unsupported', () => {
      const code = codeOf(() => createAeadSync(createWasmBackend(), 'chacha20-poly1305', KEY).destroy())
      const expected = wasmRefused() ? ['unsupported'] : ['accepted', 'not-ready']
      check(expected.includes(code), `${code}, expected ${expected.join(' or ')}`)
    })
    it('R31: refused WebAssembly is a reason, and another backend takes over', async () => {
      const wasm = createWasmBackend()
      const answer = await wasm.probe('chacha20-poly1305')
      check(answer.available === !wasmRefused(), JSON.stringify(answer))
      if (!answer.available) check(answer.reason.startsWith('wasm blocked'), answer.reason)
      const others = backends.filter(({ kind }) => kind !== 'wasm')
      const options = { backends: [wasm, ...others], measure, algorithm: 'chacha20-poly1305' }
      const pick = await umbrella.selectAead(options)
      const aead = await pick.createAead(KEY)
      const sealed = await aead.seal(new Uint8Array(12), KEY)
      check(sealed.length === KEY.length + 16, `${sealed.length} bytes`)
      aead.destroy()
    })
    it('R34: a result is what subtle.encrypt and Blob take', async () => {
      for (const backend of backends) {
        const id = 'aes-256-gcm'
        if (!backend.algorithms.includes(id) || !(await backend.probe(id)).available) continue
        const aead = await createAead(backend, id, KEY)
        const sealed = await aead.seal(new Uint8Array(12), KEY)
        check(sealed.buffer instanceof ArrayBuffer, `${backend.name}: not over an ArrayBuffer`)
        check((await new Blob([sealed]).arrayBuffer()).byteLength === sealed.length, `${backend.name}: Blob`)
        const key = await crypto.subtle.importKey('raw', sealed.subarray(0, 32), 'AES-GCM', false, [
          'encrypt',
        ])
        const iv = sealed.subarray(0, 12)
        const twice = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, sealed)
        check(twice.byteLength === sealed.length + 16, `${backend.name}: subtle.encrypt`)
        aead.destroy()
      }
    })
    if (require === undefined) return
    it('R33: require() gives what import() gives', async () => {
      for (const [specifier, load] of Object.entries(REQUIRED)) {
        const imported = Object.keys(await load()).filter((name) => name !== 'default')
        const required = Object.keys(require(specifier)).filter(
          (name) => !['__esModule', 'default'].includes(name),
        )
        check(imported.length > 0, `${specifier} exports nothing`)
        check(String(required.sort()) === String(imported.sort()), `${specifier}: ${required.join(', ')}`)
      }
    })
  })
}
