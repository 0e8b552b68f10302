import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Evidence } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { skipped } from './facts.ts'

const run = promisify(execFile)
const child = resolve(import.meta.dirname, 'class-child.mjs')
const built = existsSync(resolve(import.meta.dirname, '../dist/index.js'))
const x86Linux = process.platform === 'linux' && process.arch === 'x64'
const RUNS = 10

type Seen = Evidence & { readonly flag: string; readonly reason: string }

async function seen(mask: string | undefined, measure: string): Promise<Seen> {
  const env = { ...process.env }
  delete env.OPENSSL_ia32cap
  if (mask !== undefined) env.OPENSSL_ia32cap = mask
  const { stdout } = await run(process.execPath, [child, measure], { env })
  return JSON.parse(stdout) as Seen
}

const MASKS = [
  ['no mask', undefined, 'hardware', 'yes', 'yes'],
  ['AES and the multiply masked', '~0x200000200000000:~0x60000000000', 'none', 'no', 'no'],
  ['the multiply alone masked', '~0x200000000:~0x60000000000', 'none', 'yes', 'no'],
] as const

const bare = built && x86Linux ? (await seen(undefined, 'never')).flag : 'unknown'
const able = bare === 'yes'

describe.skipIf(!able && skipped(2 * MASKS.length, 'needs the built package and an x86-64 Linux with AES'))(
  'the class of a process of its own',
  () => {
    it.each(MASKS)(`%s: ${RUNS} runs agree`, async (_, mask, hardwareClass, aes, clmul) => {
      // Two at a time: the noise is part of the test.
      const found: Seen[] = []
      for (let at = 0; at < RUNS; at += 2)
        found.push(...(await Promise.all([seen(mask, 'always'), seen(mask, 'always')])))
      expect(found).toHaveLength(RUNS)
      for (const one of found) {
        expect([one.hardwareClass, one.aes, one.clmul], one.reason).toEqual([hardwareClass, aes, clmul])
        // With the instructions AES-GCM takes 0.8 to 1.3 times what ChaCha20-Poly1305 takes in Node, without them it is
        // several times slower; on a busy machine either may look closer than that, and then the flags decide.
        if (one.source !== 'flags') expect(one.source, one.reason).toBe('measured')
        else expect(one.reason).toContain('too close to tell')
        // What the kernel lists cannot see the mask.
        expect(one.flag).toBe('yes')
      }
    })
    it.each(MASKS)('%s: flags after masks say the same unmeasured', async (_, mask, hardwareClass) => {
      expect(await seen(mask, 'never')).toMatchObject({ hardwareClass, source: 'flags' })
    })
  },
)
