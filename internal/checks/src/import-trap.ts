// Runs in a process of its own: `node import-trap.js <file URL>`. Traps what a module must not touch while it is
// imported, imports the module, and prints what was touched as a JSON array of sentences.
import childProcess from 'node:child_process'
import nodeCrypto from 'node:crypto'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

type Holder = Record<string, unknown>

const touched = new Set<string>()
let armed = false

/** The first frame outside this file: calls that Node makes for itself, such as loading a module, do not count. */
function callerIsNode(): boolean {
  const frames = (new Error().stack ?? '').split('\n').slice(1)
  const caller = frames.find((frame) => !frame.includes(import.meta.url))
  return caller === undefined || /\(node:|at node:/.test(caller)
}

function note(what: string): void {
  if (armed && !callerIsNode()) touched.add(what)
}

function trapCalls(holder: object, names: readonly string[], prefix: string): void {
  const target = holder as Holder
  for (const name of names) {
    const original = target[name]
    if (typeof original !== 'function' || fixed(target, name)) continue
    const wrapped = new Proxy(original, {
      apply(fn, self, args) {
        note(`calls ${prefix}${name}`)
        return Reflect.apply(fn, self, args)
      },
      construct(fn, args, newTarget) {
        note(`constructs ${prefix}${name}`)
        return Reflect.construct(fn, args, newTarget)
      },
    })
    Object.defineProperty(target, name, { value: wrapped, writable: true, configurable: true })
  }
}

const fixed = (holder: object, name: string): boolean =>
  Object.getOwnPropertyDescriptor(holder, name)?.configurable === false

function trapReads(holder: object, name: string, prefix: string): void {
  const value = (holder as Holder)[name]
  Object.defineProperty(holder, name, {
    configurable: true,
    get() {
      note(`reads ${prefix}${name}`)
      return value
    },
  })
}

/** Properties of the platform's own object cannot be redefined, so another stands in front of it. */
function trapCrypto(): void {
  const real = globalThis.crypto
  const front = new Proxy(real, {
    get(target, name) {
      note(`reads crypto.${String(name)}`)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  Object.defineProperty(globalThis, 'crypto', { value: front, writable: true, configurable: true })
}

const functionsOf = (holder: object): string[] =>
  Object.keys(holder).filter((name) => typeof (holder as Holder)[name] === 'function' && /^[a-z]/.test(name))

trapCalls(
  globalThis,
  [
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'fetch',
    'MessageChannel',
    'BroadcastChannel',
  ],
  '',
)
trapCrypto()
trapCalls(Math, ['random'], 'Math.')
trapCalls(Date, ['now'], 'Date.')
trapCalls(performance, ['now'], 'performance.')
trapCalls(
  WebAssembly,
  [
    'compile',
    'instantiate',
    'validate',
    'compileStreaming',
    'instantiateStreaming',
    'Module',
    'Instance',
    'Memory',
  ],
  'WebAssembly.',
)
trapCalls(process, ['getBuiltinModule', 'cwd', 'hrtime', 'on', 'once'], 'process.')
trapReads(process, 'env', 'process.')
trapCalls(fs, functionsOf(fs), 'node:fs ')
trapCalls(fs.promises, functionsOf(fs.promises), 'node:fs/promises ')
trapCalls(os, functionsOf(os), 'node:os ')
trapCalls(childProcess, functionsOf(childProcess), 'node:child_process ')
trapCalls(
  nodeCrypto,
  functionsOf(nodeCrypto).filter((name) => name !== 'webcrypto'),
  'node:crypto ',
)
syncBuiltinESMExports()

const before = new Set(Reflect.ownKeys(globalThis))
const specifier = process.argv[2] ?? ''
armed = true
await import(specifier)
armed = false
for (const key of Reflect.ownKeys(globalThis)) {
  if (!before.has(key)) touched.add(`adds the global ${String(key)}`)
}
process.stdout.write(JSON.stringify([...touched].sort()))
