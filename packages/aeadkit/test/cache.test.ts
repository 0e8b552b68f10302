/** The cache in files: where it lies, what it survives, what it says. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fileCache } from '../src/cache.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aeadkit-cache-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it.skipIf(process.platform === 'win32')('a pipe in the place of a cache file is not opened', async () => {
  const cache = fileCache(folder)
  await cache.set('key', 'text')
  const [file = ''] = readdirSync(folder)
  rmSync(join(folder, file))
  execFileSync('mkfifo', [join(folder, file)])
  expect(await cache.get('key')).toBeUndefined()
  expect(cache.lastFailure).toMatch(/no small file/)
})

describe('without a folder of the caller', () => {
  const { HOME, XDG_CACHE_HOME } = process.env
  const set = (name: string, value: string | undefined): void => {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  afterEach(() => {
    set('HOME', HOME)
    set('XDG_CACHE_HOME', XDG_CACHE_HOME)
  })

  it('a relative XDG_CACHE_HOME is ignored, as its specification says', () => {
    set('XDG_CACHE_HOME', 'relative-folder')
    expect(fileCache().folder).not.toMatch(/relative-folder/)
    expect(existsSync('relative-folder')).toBe(false)
  })

  it.skipIf(process.platform === 'win32')('an empty home is not the working directory', async () => {
    set('XDG_CACHE_HOME', undefined)
    set('HOME', '')
    const cache = fileCache()
    await cache.set('key', 'text')
    expect(cache.folder).toBe('')
    expect(cache.lastFailure).toMatch(/no home folder/)
    expect(existsSync('.cache')).toBe(false)
  })
})

it.skipIf(process.platform !== 'linux')(
  'a cache folder where none can be made costs a reason, not the process',
  async () => {
    const cache = fileCache('/proc/aeadkit/cache')
    await cache.set('key', 'text')
    expect(cache.lastFailure).toMatch(/ENOENT/)
    expect(await fileCache('/proc/aeadkit/cache').get('key')).toBeUndefined()
  },
)

it('a cache folder deep below what there is is made', async () => {
  const cache = fileCache(join(folder, 'a', 'b', 'c'))
  await cache.set('key', 'text')
  expect(await cache.get('key')).toBe('text')
  expect(cache.lastFailure).toBeUndefined()
})

it('a cache folder that was taken away meanwhile is made again', async () => {
  const where = join(folder, 'a', 'b')
  const cache = fileCache(where)
  await cache.set('key', 'text')
  rmSync(join(folder, 'a'), { recursive: true })
  expect(await cache.get('key')).toBeUndefined()
  const keys = Array.from({ length: 20 }, (_, at) => `key ${at}`)
  await Promise.all(keys.map((key) => cache.set(key, `text of ${key}`)))
  for (const key of keys) expect(await cache.get(key)).toBe(`text of ${key}`)
  expect(cache.lastFailure).toBeUndefined()
})

it('many entries at once, of several processes, make the folder once', async () => {
  const where = join(folder, 'a', 'b', 'c')
  const caches = [fileCache(where), fileCache(where), fileCache(where)]
  const keys = Array.from({ length: 20 }, (_, at) => `key ${at}`)
  await Promise.all(caches.flatMap((cache) => keys.map((key) => cache.set(key, `text of ${key}`))))
  expect(caches.map(({ lastFailure }) => lastFailure)).toEqual([undefined, undefined, undefined])
  for (const key of keys) expect(await fileCache(where).get(key)).toBe(`text of ${key}`)
  expect(readdirSync(where)).toHaveLength(keys.length)
})

it('what was corrupt and is written anew is no failure any more', async () => {
  const cache = fileCache(folder)
  await cache.set('key', 'text')
  const [file = ''] = readdirSync(folder)
  writeFileSync(join(folder, file), '{"key":')
  expect(await cache.get('key')).toBeUndefined()
  expect(cache.lastFailure).toMatch(/JSON/)
  await cache.set('key', 'text')
  expect(cache.lastFailure).toBeUndefined()
  expect(await cache.get('key')).toBe('text')
})

describe('a file that was read before', () => {
  const fileOf = (): string => join(folder, readdirSync(folder)[0] ?? '')

  it('is not read again while it is as it was', async () => {
    await fileCache(folder).set('key', 'text')
    const cache = fileCache(folder)
    expect(await cache.get('key')).toBe('text')
    const reads = vi.spyOn(JSON, 'parse')
    try {
      expect(await cache.get('key')).toBe('text')
      expect(reads).not.toHaveBeenCalled()
    } finally {
      reads.mockRestore()
    }
  })

  it('is read again when another process has written it, or someone has put the time back', async () => {
    const cache = fileCache(folder)
    await cache.set('key', 'text')
    expect(await cache.get('key')).toBe('text')
    await fileCache(folder).set('key', 'TEXT')
    utimesSync(fileOf(), 1_000_000_000, 1_000_000_000)
    expect(await cache.get('key')).toBe('TEXT')
    writeFileSync(fileOf(), JSON.stringify({ key: 'key', text: 'tEXt' }))
    utimesSync(fileOf(), 1_000_000_000, 1_000_000_000)
    expect(await cache.get('key')).toBe('tEXt')
    rmSync(fileOf())
    expect(await cache.get('key')).toBeUndefined()
  })

  it('is forgotten before there are too many', async () => {
    const cache = fileCache(folder)
    const keys = Array.from({ length: 100 }, (_, at) => `key ${at}`)
    await Promise.all(keys.map((key) => cache.set(key, `text of ${key}`)))
    for (const key of keys) await cache.get(key)
    const reads = vi.spyOn(JSON, 'parse')
    try {
      for (const key of [...keys].reverse()) expect(await cache.get(key)).toBe(`text of ${key}`)
      expect(reads).toHaveBeenCalledTimes(100 - 64)
    } finally {
      reads.mockRestore()
    }
  })
})

it('what a killed process has left half-written is removed after an hour, and nothing else', async () => {
  const name = (digit: string) => `${digit.repeat(64)}.json.${crypto.randomUUID()}`
  const [old, young, other] = [name('a'), name('b'), 'notes.json.old']
  for (const one of [old, young, other]) writeFileSync(join(folder, one), '{')
  const before = new Date(Date.now() - 2 * 3_600_000)
  for (const one of [old, other]) utimesSync(join(folder, one), before, before)
  await fileCache(folder).set('key', 'text')
  const left = readdirSync(folder)
  expect(left).toHaveLength(3)
  expect(left).not.toContain(old)
})

describe('what no file takes', () => {
  const blocked = () => {
    // A file where the folder would be.
    writeFileSync(join(folder, 'taken'), '')
    return fileCache(join(folder, 'taken'))
  }
  it('is kept in memory, newest first, and the reason is told', async () => {
    const cache = blocked()
    await cache.set('key', 'text')
    expect(await cache.get('key')).toBe('text')
    await cache.set('key', 'newer')
    expect(await cache.get('key')).toBe('newer')
    expect(await cache.get('other')).toBeUndefined()
    expect(cache.lastFailure).toMatch(/EEXIST|ENOTDIR|ENOENT/)
  })
  it('is forgotten before there is too much of it', async () => {
    const cache = blocked()
    for (let at = 0; at < 65; at++) await cache.set(`key ${at}`, 'text')
    expect(await cache.get('key 0')).toBeUndefined()
    expect(await cache.get('key 64')).toBe('text')
  })
  it('gives way to a file that can be written again', async () => {
    const cache = blocked()
    await cache.set('key', 'text')
    rmSync(join(folder, 'taken'))
    await cache.set('key', 'newer')
    expect(cache.lastFailure).toBeUndefined()
    await fileCache(join(folder, 'taken')).set('key', 'newest')
    expect(await cache.get('key')).toBe('newest')
  })
})

describe.skipIf(process.platform === 'win32')('what other users could have written', () => {
  const stored = async (): Promise<string> => {
    await fileCache(folder).set('key', 'text')
    const [file = ''] = readdirSync(folder)
    return join(folder, file)
  }
  const refused = async (reason: RegExp): Promise<void> => {
    const cache = fileCache(folder)
    expect(await cache.get('key')).toBeUndefined()
    expect(cache.lastFailure).toMatch(reason)
  }
  it.each([0o602, 0o620, 0o666])('a file of mode %o is not read', async (mode) => {
    chmodSync(await stored(), mode)
    await refused(/can be written by other users/)
  })
  it('a file of another user is not read, and one of root is', async () => {
    await stored()
    const getuid = vi.spyOn(process, 'getuid')
    try {
      const owner = process.getuid?.() ?? 0
      getuid.mockReturnValue(owner + 1)
      if (owner === 0) expect(await fileCache(folder).get('key')).toBe('text')
      else await refused(/belongs to another user/)
    } finally {
      getuid.mockRestore()
    }
  })
  it.runIf(process.getuid?.() === 0)('a file that root gave to another user is not read', async () => {
    chownSync(await stored(), 65_534, 65_534)
    await refused(/belongs to another user/)
  })
  it('a link is not followed', async () => {
    const file = await stored()
    renameSync(file, `${file}.elsewhere`)
    symlinkSync(`${file}.elsewhere`, file)
    await refused(/ELOOP|EMLINK/)
  })
  it('a new folder is open to its owner only', async () => {
    const below = join(folder, 'deep', 'cache')
    await fileCache(below).set('key', 'text')
    for (const made of [below, join(folder, 'deep')]) expect(statSync(made).mode & 0o777).toBe(0o700)
  })
})
