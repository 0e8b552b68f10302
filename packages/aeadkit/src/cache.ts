import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { MeasurementCache } from '@aeadkit/selector'

/** A {@link MeasurementCache} in files, and where it lies. */
export interface FileCache extends MeasurementCache {
  /** Folder of the files. */
  readonly folder: string
  /** Why the last read or write failed, or `undefined`. */
  readonly lastFailure: string | undefined
}

/** The user's cache folder for this package: `XDG_CACHE_HOME`, `LOCALAPPDATA`, or the platform's usual place. */
function defaultFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  // The specification of these folders has relative paths ignored.
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, 'aeadkit')
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'aeadkit', 'cache')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'aeadkit')
  return join(homedir(), '.cache', 'aeadkit')
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
 * @param folder - where; default: the user's cache folder.
 */
export function fileCache(folder: string = defaultFolder()): FileCache {
  let lastFailure: string | undefined
  const note = (error: unknown): void => {
    lastFailure = error instanceof Error ? error.message : String(error)
  }
  const pathOf = (key: string): string =>
    join(folder, `${createHash('sha256').update(key).digest('hex')}.json`)
  return {
    folder,
    get lastFailure() {
      return lastFailure
    },
    async get(key) {
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
      const path = pathOf(key)
      const temporary = `${path}.${randomUUID()}`
      try {
        await mkdir(folder, { recursive: true })
        // A rename is atomic: a reader sees the old file or the new one, never half of one.
        await writeFile(temporary, JSON.stringify({ key, text } satisfies Entry), { mode: 0o600 })
        await rename(temporary, path)
      } catch (error) {
        note(error)
        await rm(temporary, { force: true }).catch(() => undefined)
      }
    },
  }
}
