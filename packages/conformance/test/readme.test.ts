import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

it('the example of the README runs under node:test as it stands', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
  const wrong = example.replace('return false', 'return true')
  expect(wrong).not.toBe(example)
  const run = (code: string): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: PACKAGE, encoding: 'utf8' })
  const good = run(example)
  expect(good.status, `${good.stdout}${good.stderr}`).toBe(0)
  expect(String(good.stdout)).toContain('# fail 0')
  expect(run(wrong).status).toBe(1)
})
