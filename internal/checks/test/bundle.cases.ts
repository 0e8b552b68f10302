import { createHash } from 'node:crypto'
import { code, core, type Violations } from './violation.ts'

/** Digits that gzip cannot make much shorter than half of them. */
function incompressible(digits: number): string {
  let text = ''
  for (let i = 0; text.length < digits; i++) text += createHash('sha256').update(String(i)).digest('hex')
  return text
}

/** Trees that break the bundle rules. */
export const BUNDLE_VIOLATIONS: Violations = {
  'idle-bundle': [
    {
      title: 'a bare call',
      files: core('export const x = Object.freeze({})\nconsole.log(x)\n'),
      says: 'packages/core: "." leaves:',
    },
    {
      title: 'registration in an imported file',
      files: {
        ...core("import './side.js'\nexport const createAead = () => 1\n"),
        'packages/core/dist/side.js': 'globalThis.registry = []\n',
      },
      says: 'leaves:',
    },
    {
      title: 'a computed table',
      files: core(
        'export const T = { bytes: Math.max(1, 2), n: build() }\nfunction build() { return T2() }\nfunction T2() { return 1 }\n',
      ),
      says: 'leaves:',
    },
  ],
  'idle-import': [
    {
      title: 'entropy',
      files: core('crypto.getRandomValues(new Uint8Array(1))\nexport const createAead = 1\n'),
      says: 'reads crypto.getRandomValues',
    },
    {
      title: 'subtle',
      files: core('export const createAead = crypto.subtle\n'),
      says: 'reads crypto.subtle',
    },
    { title: 'a timer', files: core('setTimeout(() => {}, 0)\n'), says: 'calls setTimeout' },
    { title: 'a microtask', files: core('queueMicrotask(() => {})\n'), says: 'calls queueMicrotask' },
    { title: 'random numbers', files: core('export const x = Math.random()\n'), says: 'calls Math.random' },
    { title: 'the clock', files: core('export const x = Date.now()\n'), says: 'calls Date.now' },
    {
      title: 'compilation',
      files: core('export const x = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))\n'),
      says: 'constructs WebAssembly.Module',
    },
    {
      title: 'a file read',
      files: code(
        'backend-node',
        "import { readFileSync } from 'node:fs'\nexport const x = readFileSync(new URL(import.meta.url))\n",
      ),
      says: 'calls node:fs readFileSync',
    },
    {
      title: 'a list of ciphers',
      files: code(
        'backend-node',
        "import { getCiphers } from 'node:crypto'\nexport const x = getCiphers()\n",
      ),
      says: 'calls node:crypto getCiphers',
    },
    { title: 'the environment', files: core('export const x = process.env.X\n'), says: 'reads process.env' },
    {
      title: 'a global',
      files: core('globalThis.aeadRegistry = []\n'),
      says: 'adds the global aeadRegistry',
    },
  ],
  'bundle-alone': [
    {
      title: 'a module of Node',
      files: code(
        'backend-noble',
        "export const nobleBackend = { fs: () => globalThis.process.getBuiltinModule('node:fs') }\n",
      ),
      says: 'packages/backend-noble: its bundle contains node:',
    },
    {
      title: 'another backend',
      files: {
        ...code('backend-noble', "export { two } from '../../backend-node/dist/two.js'\n"),
        'packages/backend-node/dist/two.js': 'export const two = 2\n',
      },
      says: 'contains backend-node',
    },
    {
      title: 'the long texts',
      files: {
        ...core("export { describe as createAead } from './catalog.js'\n"),
        'packages/core/dist/catalog.js': "export const describe = () => 'long'\n",
      },
      says: 'contains the long texts',
    },
  ],
  'bundle-bars': [
    {
      title: 'above its bar',
      files: code('backend-node', `export const nodeBackend = ['${incompressible(40_000)}']\n`),
      says: 'createAead + node: ',
    },
  ],
  'bundle-size': [
    { title: 'not recorded', files: { 'internal/checks/sizes.json': '{}' }, says: 'is not recorded' },
    {
      title: 'grown',
      files: {
        'internal/checks/sizes.json': '{ "@aeadkit/backend-noble": 50, "@aeadkit/backend-node": 9000 }',
      },
      says: 'recorded 50 B, at most 51 B',
    },
    {
      title: 'gone',
      files: { 'internal/checks/sizes.json': '{ "@aeadkit/backend-gone": 50 }' },
      says: '@aeadkit/backend-gone: recorded',
    },
  ],
}
