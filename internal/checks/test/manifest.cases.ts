import { jsr } from './fixture.ts'
import { coreManifest, nobleManifest, type Violations } from './violation.ts'

/** Trees that break the manifest rules. */
export const MANIFEST_VIOLATIONS: Violations = {
  exports: [
    { title: 'into src', files: coreManifest({ exports: { '.': './src/index.ts' } }), says: 'not into dist' },
    { title: 'not built', files: { 'packages/core/dist/index.d.ts': null }, says: 'which is not built' },
    {
      title: 'another version',
      files: { 'packages/core/jsr.json': jsr('@aeadkit/core', { version: '0.2.0' }) },
      says: 'version 0.2.0, package.json 0.1.0',
    },
    {
      title: 'a key of JSR only',
      files: {
        'packages/core/jsr.json': jsr('@aeadkit/core', {
          exports: { '.': './src/index.ts', './x': './src/index.ts' },
        }),
      },
      says: 'jsr.json exports "./x", package.json does not',
    },
    { title: 'no jsr.json', files: { 'packages/core/jsr.json': null }, says: 'jsr.json is missing' },
    {
      title: 'another source',
      files: {
        'packages/core/src/other.ts': 'export {}\n',
        'packages/core/jsr.json': jsr('@aeadkit/core', { exports: { '.': './src/other.ts' } }),
      },
      says: 'package.json does not export ./dist/other.js',
    },
  ],
  manifest: [
    { title: 'side effects', files: coreManifest({ sideEffects: true }), says: 'sideEffects is not false' },
    { title: 'CommonJS', files: coreManifest({ type: 'commonjs' }), says: 'type is not "module"' },
    {
      title: 'another floor',
      files: coreManifest({ engines: { node: '>=18' } }),
      says: 'engines.node is >=18',
    },
    { title: 'no licence', files: { 'packages/core/LICENSE': null }, says: 'LICENSE is missing or a link' },
    { title: 'another licence', files: { 'packages/core/LICENSE': 'Other\n' }, says: 'LICENSE differs' },
    { title: 'not packed', files: coreManifest({ files: ['dist'] }), says: 'files does not list README.md' },
    {
      title: 'a bin that is built',
      files: coreManifest({ bin: { core: './dist/index.js' } }),
      says: 'not committed',
    },
  ],
  publint: [
    {
      title: 'types after default',
      files: coreManifest({ exports: { '.': { default: './dist/index.js', types: './dist/index.d.ts' } } }),
      says: 'types',
    },
  ],
  'exact-versions': [
    {
      title: 'a range',
      files: nobleManifest({ dependencies: { '@noble/ciphers': '^2.4.0' } }),
      says: '@noble/ciphers is "^2.4.0"',
    },
    {
      title: 'a range for development',
      files: coreManifest({ devDependencies: { x: '*' } }),
      says: 'x is "*"',
    },
  ],
  dependencies: [
    {
      title: 'core has one',
      files: coreManifest({ dependencies: { x: '1.0.0' } }),
      says: 'at most 0 libraries',
    },
    {
      title: 'a backend has two',
      files: nobleManifest({ dependencies: { x: '1.0.0', y: '1.0.0' } }),
      says: 'depends on x, y; at most 1',
    },
    {
      title: 'a backend has another',
      files: nobleManifest({ dependencies: { '@aeadkit/backend-node': '0.1.0' } }),
      says: 'may not depend on @aeadkit/backend-node',
    },
  ],
  'no-cycles': [
    {
      title: 'through devDependencies',
      files: coreManifest({ devDependencies: { '@aeadkit/backend-noble': '0.1.0' } }),
      says: '@aeadkit/core -> @aeadkit/backend-noble -> @aeadkit/core',
    },
  ],
  'fixed-versions': [
    {
      title: 'a backend ahead',
      files: nobleManifest({ version: '0.2.0' }),
      says: 'packages/backend-noble: version 0.2.0',
    },
  ],
}
