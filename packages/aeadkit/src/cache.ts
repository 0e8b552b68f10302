import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import type { MeasurementCache } from '@aeadkit/selector'

/** A {@link MeasurementCache} in files, and where it lies. */
export interface FileCache extends MeasurementCache {
  /** Folder of the files; empty where there is none to use. */
  readonly folder: string
  /** Why the last read or write failed, or `undefined`. */
  readonly lastFailure: string | undefined
}

/**
 * The user's cache folder for this package: `XDG_CACHE_HOME`, `LOCALAPPDATA`, or the platform's usual place.
 * @throws where the user has no home folder, or Deno may not tell.
 */
function defaultFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  // The specification of these folders has relative paths ignored.
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, 'aeadkit')
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'aeadkit', 'cache')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'aeadkit')
  return join(homedir(), '.cache', 'aeadkit')
}

/** Makes a folder and those above it. Node's own way of it never ends where nothing can be made, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    const above = dirname(path)
    if (code !== 'ENOENT' || above === path || existsSync(above)) throw error
    await makeFolder(above)
    await mkdir(path)
  }
}

/** Longest entry in bytes that is read. */
const MAX_BYTES = 1_048_576

interface Entry {
  readonly key: string
  readonly text: string
}

function isEntry(value: unknown): value is Entry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    'text' in value &&
    typeof value.text === 'string'
  )
}

/**
 * Keeps measurements in one small file each. A missing, corrupt, foreign or read-only file only costs a measurement;
 * the reason is in `lastFailure`.
 * @param where - the folder; default: the user's cache folder.
 */
export function fileCache(where?: string): FileCache {
  let lastFailure: string | undefined
  const note = (error: unknown): void => {
    lastFailure = error instanceof Error ? error.message : String(error)
  }
  let folder = where ?? ''
  try {
    folder = where ?? defaultFolder()
  } catch (error) {
    note(error)
  }
  const pathOf = (key: string): string =>
    join(folder, `${createHash('sha256').update(key).digest('hex')}.json`)
  return {
    folder,
    get lastFailure() {
      return lastFailure
    },
    async get(key) {
      if (folder === '') return undefined
      try {
        const path = pathOf(key)
        const found = await stat(path)
        // Opening a pipe waits for a writer for ever; ours are small files.
        if (!found.isFile() || found.size > MAX_BYTES) {
          lastFailure = 'a cache file is no small file'
          return undefined
        }
        const entry: unknown = JSON.parse(await readFile(path, 'utf8'))
        if (isEntry(entry) && entry.key === key) return entry.text
        lastFailure = 'a cache file belongs to something else'
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') note(error)
      }
      return undefined
    },
    async set(key, text) {
      if (folder === '') return
      let temporary: string | undefined
      try {
        // Where FIPS mode is requested and unusable there is no hash either.
        const path = pathOf(key)
        temporary = `${path}.${randomUUID()}`
        await makeFolder(folder)
        // A rename is atomic: a reader sees the old file or the new one, never half of one.
        await writeFile(temporary, JSON.stringify({ key, text } satisfies Entry), { mode: 0o600 })
        await rename(temporary, path)
      } catch (error) {
        note(error)
        if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined)
      }
    },
  }
}
