import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { ALGORITHMS, createAeadSync } from '@aeadkit/core'
import { buildSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script of the build, without types
import { compile } from '../scripts/compile.mjs'
// @ts-expect-error: a script of the build, without types
import { MODULES } from '../scripts/kernels.mjs'
import { HEX as AES } from '../src/generated/aes-gcm.ts'
import { HEX as COLUMNS } from '../src/generated/chacha20-poly1305.columns.ts'
import { HEX as ROWS } from '../src/generated/chacha20-poly1305.rows.ts'
import { createWasmBackend } from '../src/index.ts'
import { same } from './material.ts'
import { memoriesDuring } from './memories.ts'

const dist = (file: string): Buffer => readFileSync(new URL(`../dist/${file}`, import.meta.url))
const gzip = (data: Uint8Array | string): number => gzipSync(data, { level: 9 }).length

/** Largest size of each module after gzip, in bytes. */
const MOST: Readonly<Record<string, number>> = {
  'chacha20-poly1305.columns': 4608,
  'chacha20-poly1305.rows': 4608,
  'aes-gcm': 10_240,
}
const EMBEDDED: Readonly<Record<string, string>> = {
  'chacha20-poly1305.columns': COLUMNS,
  'chacha20-poly1305.rows': ROWS,
  'aes-gcm': AES,
}

describe('modules', () => {
  const rows = MODULES as readonly { file: string }[]
  it('are all listed here', () => {
    expect(rows.map(({ file }) => file)).toEqual(Object.keys(MOST))
  })
  for (const row of rows) {
    it(`${row.file}: another build gives the same bytes, in the file and embedded, and they are small`, async () => {
      const built = dist(`${row.file}.wasm`)
      expect(same(await compile(row), built)).toBe(true)
      expect(EMBEDDED[row.file]).toBe(built.toString('hex'))
      expect(gzip(built)).toBeLessThanOrEqual(MOST[row.file]!)
    })
  }
})

/** A minified bundle of one entry without core. */
function bundle(entry: string, names: string): string {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `export { ${names} } from './dist/${entry}'`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    minify: true,
    external: ['@aeadkit/core'],
    write: false,
  })
  return outputFiles[0]!.text
}

describe('bundles', () => {
  const parts = [COLUMNS, ROWS, AES]
  const held = (text: string): boolean[] => parts.map((part) => text.includes(part))
  it('hold only the kernels of their entry', () => {
    expect(held(bundle('index.js', 'createWasmBackend'))).toEqual([true, true, true])
    expect(held(bundle('chacha20-poly1305.js', 'createWasmBackend'))).toEqual([true, true, false])
    expect(held(bundle('chacha20-poly1305.columns.js', 'createWasmBackend'))).toEqual([true, false, false])
    expect(held(bundle('chacha20-poly1305.rows.js', 'createWasmBackend'))).toEqual([false, true, false])
    expect(held(bundle('aes-gcm.js', 'createWasmBackend'))).toEqual([false, false, true])
    expect(held(bundle('module.js', 'createWasmBackendFromModules'))).toEqual([false, false, false])
  })
  it('have at most 3 KiB of glue after gzip', () => {
    expect(gzip(bundle('module.js', 'createWasmBackendFromModules'))).toBeLessThanOrEqual(3072)
    let glue = bundle('index.js', 'createWasmBackend, prepareWasmBackend')
    for (const part of parts) glue = glue.replace(part, '')
    expect(gzip(glue)).toBeLessThanOrEqual(3072)
  })
})

it('an idle backend with every kernel in use holds at most 1 MiB', () => {
  const backend = createWasmBackend()
  const memories = memoriesDuring(() => {
    for (const id of backend.algorithms) createAeadSync(backend, id, new Uint8Array(ALGORITHMS[id].keyBytes))
  })
  expect(memories.length).toBe(2)
  expect(memories.reduce((sum, memory) => sum + memory.length, 0)).toBeLessThanOrEqual(2 ** 20)
})
