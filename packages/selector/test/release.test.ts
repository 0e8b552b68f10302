import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { RELEASE } from '../src/release.ts'

it('the version in the key of timings is the one of the package', () => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  expect(RELEASE).toBe((JSON.parse(manifest) as { readonly version: string }).version)
})
