// node --expose-gc slots.mjs 100000: creates and destroys that many Aeads, then creates and drops as many, yielding.
// One line of JSON each: instances made and still living, and how much memory grew after the first tenth.
import { createWasmBackend } from '@aeadkit/backend-wasm'
import { ALGORITHMS, createAeadSync } from '@aeadkit/core'

const count = Number(process.argv[2] ?? 100_000)
const STEP = 250

/** Instances made, as far as they live. */
let instances = []
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, args) {
    const instance = Reflect.construct(target, args)
    instances.push(new WeakRef(instance.exports.memory))
    return instance
  },
})

const memoryMiB = () => {
  globalThis.gc()
  return process.memoryUsage().rss / 2 ** 20
}

async function run(id, name, use) {
  const backend = createWasmBackend()
  const key = new Uint8Array(ALGORITHMS[id].keyBytes)
  const nonce = new Uint8Array(12)
  const message = new Uint8Array(32)
  instances = []
  let base = 0
  for (let i = 1; i <= count; i++) {
    key[i & 15] = i
    const aead = createAeadSync(backend, id, key)
    aead.sealSync(nonce, message)
    use(aead)
    if (i % STEP === 0) {
      globalThis.gc()
      // Finalizers run between tasks.
      await new Promise((resolve) => setImmediate(resolve))
      if (i <= count / 10) base = memoryMiB()
    }
  }
  const growthMiB = Math.round((memoryMiB() - base) * 10) / 10
  const living = instances.filter((item) => item.deref() !== undefined).length
  console.log(JSON.stringify({ id, name, count, made: instances.length, living, growthMiB }))
}

for (const id of ['chacha20-poly1305', 'aes-128-gcm']) {
  await run(id, 'destroyed', (aead) => aead.destroy())
  await run(id, 'dropped', () => {})
}
