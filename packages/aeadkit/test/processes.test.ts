import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runNode } from './child.ts'

const url = (path: string): string => JSON.stringify(pathToFileURL(resolve(import.meta.dirname, path)).href)

/** Runs a module over the built packages in a process of its own and parses what it prints. */
async function inProcess(script: string, env: Readonly<Record<string, string>> = {}): Promise<any> {
  const prelude = `
    const kit = await import(${url('../dist/index.js')})
    const { nodeBackend } = await import(${JSON.stringify(import.meta.resolve('@aeadkit/backend-node'))})
    const { nobleBackend } = await import(${JSON.stringify(import.meta.resolve('@aeadkit/backend-noble'))})
    // As on a machine with the instructions, whatever this one has.
    const evidence = await kit.collectEvidence({ measure: 'never', given: { aes: 'yes', clmul: 'yes', hardwareClass: 'hardware' } })
    const print = (value) => console.log(JSON.stringify(value))
    const refusal = async (run) => { try { await run() } catch (error) { return { code: error.code, message: error.message } } }`
  const { code, stdout, stderr } = await runNode(['--input-type=module', '-e', prelude + script], { env })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

const MASK = { OPENSSL_ia32cap: '~0x200000200000000:~0x60000000000' }

describe('data outlives the process that sealed it', () => {
  it.each<[string, string]>([
    ['only this machine reads', "{ readers: 'here' }"],
    ['any machine reads', '{}'],
    ['AES-256-GCM by name', "{ algorithm: 'aes-256-gcm', volume: { messages: 1000 } }"],
  ])('opens under a mask, with no cache and with other backends (%s)', async (_, options) => {
    const sealed = await inProcess(`
      const pick = await kit.selectAead(${options})
      const key = pick.generateKey()
      const sealer = await pick.createSealer(key)
      const box = sealer.encryptSync(new Uint8Array(70000).fill(7), new Uint8Array(3))
      print({ key: kit.encodeKey(key), selection: JSON.stringify(pick), box: Buffer.from(box).toString('base64') })`)
    const open = `
      const stored = ${JSON.stringify(sealed)}
      const results = []
      for (const backends of [[nodeBackend], [nobleBackend], [nobleBackend, nodeBackend]]) {
        const pick = await kit.restoreSelection(stored.selection, { backends })
        const sealer = await pick.createSealer(kit.decodeKey(stored.key))
        const opened = sealer.decryptSync(Buffer.from(stored.box, 'base64'), new Uint8Array(3))
        results.push([pick.algorithm, opened.length, opened.every((byte) => byte === 7)])
      }
      print(results)`
    const { algorithm } = JSON.parse(sealed.selection)
    const expected = [1, 2, 3].map(() => [algorithm, 70000, true])
    expect(await inProcess(open, MASK)).toEqual(expected)
    expect(await inProcess(open)).toEqual(expected)
  })

  it('sealing again with tables instead of instructions needs a word, opening does not', async () => {
    const { selection, key } = await inProcess(`
      const pick = await kit.selectAead({ algorithm: 'aes-256-gcm', volume: { messages: 1000 }, backends: [nodeBackend], evidence })
      print({ key: kit.encodeKey(pick.generateKey()), selection: JSON.stringify(pick) })`)
    const answer = await inProcess(`
      const stored = ${JSON.stringify({ selection, key })}
      const key = kit.decodeKey(stored.key)
      const strict = await kit.restoreSelection(stored.selection, { backends: [nobleBackend] })
      const loose = await kit.restoreSelection(stored.selection, { backends: [nobleBackend], constantTime: 'preferred' })
      const box = await (await loose.createSealer(key)).encrypt(new Uint8Array(5))
      const reader = await strict.createSealer(key)
      print({ duties: strict.duties, opened: (await reader.decrypt(box)).length, refused: await refusal(() => reader.encrypt(new Uint8Array(5))) })`)
    expect(answer.opened).toBe(5)
    expect(answer.refused.code).toBe('unsupported')
    expect(answer.duties.join()).toContain('constant-time-not-met')
  })
})

describe('a counter without a start', () => {
  it('is refused for the same key bytes in a second process', async () => {
    const first = await inProcess(`
      const key = kit.generateKey('aes-256-gcm')
      const nonces = { kind: 'counter', fixedField: new Uint8Array(4), start: 0 }
      const sealer = await kit.createSealer(key, { backends: [nodeBackend], nonces })
      sealer.encryptSync(new Uint8Array(5))
      print({ key: kit.encodeKey(key), next: String(sealer.usage.nextCounter) })`)
    expect(first.next).toBe('1')
    const second = await inProcess(`
      const key = kit.decodeKey(${JSON.stringify(first.key)})
      print(await refusal(() => kit.createSealer(key, { backends: [nodeBackend], nonces: 'counter' })))`)
    expect(second.code).toBe('invalid-argument')
    expect(second.message).toMatch(/durable state/)
  })
})

describe('a key profile that was declared wrongly', () => {
  it('is stopped by the bound, not by the count', async () => {
    const answer = await inProcess(`
      const pick = await kit.selectAead({
        algorithm: 'aes-128-gcm', nonce: 'counter', volume: { messages: 2 ** 20, messageBytes: 1024 }, backends: [nodeBackend], evidence,
      })
      const key = pick.generateKey()
      // As after 2^20 - 17 messages of 1 MiB instead of 1 KiB: far below the declared bound of messages.
      const snapshot = { version: 1, keys: { [key.keyId]: { algorithm: 'aes-128-gcm', messages: String(2 ** 20 - 17),
        blocks: String((2 ** 20 - 17) * 65537), failedOpens: '0', failedBlocks: '0', longestBytes: '0', nonce: 'counter', warned: true } } }
      const meter = kit.createMeter({ snapshot })
      const nonces = { kind: 'counter', fixedField: new Uint8Array(4), start: 2 ** 20 }
      const sealer = await pick.createSealer(key, { meter, nonces, format: 'bare' })
      const mebibyte = new Uint8Array(2 ** 20)
      let sealed = 0
      const refused = await refusal(() => { for (; sealed < 100; sealed++) sealer.encryptSync(mebibyte) })
      print({ allowed: String(pick.limits.messages), used: String(sealer.usage.messages), refused })`)
    expect(answer.allowed).toBe('1057222719')
    expect(answer.used).toBe('1048560')
    expect(answer.refused.code).toBe('key-exhausted')
  })
})
