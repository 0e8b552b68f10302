import { type Violations, word } from './violation.ts'

/** Trees that break the hygiene rules. */
export const HYGIENE_VIOLATIONS: Violations = {
  'test-modifiers': [
    {
      title: 'run alone',
      files: { 'packages/core/test/one.test.ts': `describe.${'only'}('x', () => {})\n` },
      says: 'packages/core/test/one.test.ts:1',
    },
    {
      title: 'a title',
      files: { 'packages/core/test/one.test.ts': `\nit.${word('to', 'do')}('x')\n` },
      says: 'packages/core/test/one.test.ts:2',
    },
  ],
  reports: [
    {
      title: 'no case of every runtime',
      files: { 'runtime-tests/reports.js': `it('R01: cut tags', () => {})\n` },
      says: 'no case of every runtime names R02',
    },
    {
      title: 'a number of no report',
      files: { 'runtime-tests/reports.js': `it('R${'99'}: x', () => {})\n` },
      says: 'R99 is not in the table',
    },
  ],
  'no-binaries': [
    {
      title: 'a module',
      files: { 'packages/core/src/kernel.wasm': '\0asm' },
      says: 'packages/core/src/kernel.wasm',
    },
    { title: 'a tarball', files: { 'x.tgz': 'x' }, says: 'x.tgz' },
  ],
  'no-vectors': [
    {
      title: 'by name',
      files: { 'packages/core/test/wycheproof_aes_gcm.json': '{}' },
      says: 'wycheproof_aes_gcm.json',
    },
    {
      title: 'by content',
      files: { 'packages/core/test/data.json': '{ "testGroups": [] }' },
      says: 'packages/core/test/data.json',
    },
  ],
  'no-machine-paths': [
    { title: 'a home', files: { 'docs/x.md': `see /${'home'}/me/x\n` }, says: 'docs/x.md:1' },
    { title: 'on Windows', files: { 'docs/x.md': `see C:\\${'Users'}\\me\n` }, says: 'docs/x.md:1' },
  ],
  'lock-file': [
    {
      title: 'a host',
      files: {
        'package-lock.json': '{ "packages": { "x": {\n"resolved": "https://registry.example/x.tgz" } } }',
      },
      says: 'package-lock.json:2',
    },
  ],
  'file-length': [
    {
      title: '351 lines',
      files: { 'internal/tool/src/index.ts': `${'export {}\n'.repeat(351)}` },
      says: '351 lines, at most 350',
    },
  ],
  finished: [
    ...[word('TO', 'DO'), word('fix', 'me'), word('for', ' now'), word('not', ' implemented')].map(
      (text) => ({
        title: text.toLowerCase(),
        files: { 'internal/tool/src/index.ts': `// ${text}: x\n` },
        says: text,
      }),
    ),
  ],
  'docs-fresh': [
    { title: 'a missing document', files: { 'README.md': null }, says: 'README.md: is missing' },
    { title: 'no markers', files: { 'README.md': '# x\n' }, says: 'the markers of "packages" are missing' },
    {
      title: 'a changed row',
      files: {
        'README.md':
          '<!-- generated: packages; npm run docs writes it -->\n| old |\n<!-- end of packages -->\n',
      },
      says: '"packages" is stale',
    },
  ],
}
