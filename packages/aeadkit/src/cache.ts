import { createHash, randomUUID } from 'node:crypto'
import { constants, existsSync, type Stats } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { MeasurementCache } from '@aeadkit/selector'
import { homeFolder, isPermitted, userNumber, variable } from './host.ts'

/** A {@link MeasurementCache} in files, and where it lies. */
export interface FileCache extends MeasurementCache {
  /** Folder of the files; empty where there is none to use. */
  readonly folder: string
  /** Why something could not be kept or read that is not there by now, or `undefined`. */
  readonly lastFailure: string | undefined
}

/** The user's cache folder for this package: `XDG_CACHE_HOME`, `LOCALAPPDATA`, or the platform's usual place. */
function defaultFolder(): string | undefined {
  const { platform } = process
  const home = homeFolder()
  const places =
    platform === 'win32'
      ? [variable('LOCALAPPDATA') && join(variable('LOCALAPPDATA'), 'aeadkit', 'cache')]
      : [platform === 'darwin' && join(home, 'Library', 'Caches', 'aeadkit')]
  const xdg = variable('XDG_CACHE_HOME')
  // The specification of these folders has relative paths ignored; an empty home would be the working directory.
  return [xdg && join(xdg, 'aeadkit'), ...places, join(home, '.cache', 'aeadkit')].find(
    (path) => typeof path === 'string' && isAbsolute(path),
  ) as string | undefined
}

/** Makes a folder and those above it. Node's own way of it never ends where nothing can be made, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  /** Someone else may make the same folder meanwhile. */
  const make = (): Promise<void> =>
    mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  try {
    await make()
  } catch (error) {
    const above = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error
    if (!existsSync(above)) await makeFolder(above)
    await make()
  }
}

/** Longest entry in bytes that is read. */
const MAX_BYTES = 1_048_576

/** Entries held in memory: what selections of one process ask for, several times over. */
const MOST_HELD = 64

/** Stores an entry as the newest one, and drops the oldest where there are too many. */
function remember<T>(held: Map<string, T>, key: string, value: T): void {
  held.delete(key)
  held.set(key, value)
  const [oldest] = held.keys()
  if (held.size > MOST_HELD && oldest !== undefined) held.delete(oldest)
}

/** What a file said, and the state it was in. */
interface Read {
  readonly state: string
  readonly text: string
}

/** Differs after every change of a file: the time of the last one of its node is none that a program can set. */
const stateOf = ({ ctimeMs, ino, mtimeMs, size }: Stats): string => [ino, size, mtimeMs, ctimeMs].join(' ')

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

const ROOT = 0
const WRITABLE_BY_OTHERS = 0o022

/** Why what a file says is not used: timings that somebody else could have written would choose the cipher. */
function distrust(found: Stats): string | undefined {
  if (!found.isFile() || found.size > MAX_BYTES) return 'a cache file is no small file'
  const user = userNumber()
  if (user === undefined) return undefined
  if (user === null)
    return 'Deno was given no permission to tell the user, so the owner of a file cannot be checked'
  if (found.uid !== user && found.uid !== ROOT) return 'a cache file belongs to another user'
  return (found.mode & WRITABLE_BY_OTHERS) === 0 ? undefined : 'a cache file can be written by other users'
}

/** The text of a file and its state at that moment, or why it is not used. */
async function readCarefully(
  path: string,
): Promise<{ readonly state: string; readonly text: string } | { readonly reason: string }> {
  // Without following a link or waiting for the other end of a pipe, where the system can.
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const found = await file.stat()
    const reason = distrust(found)
    return reason === undefined ? { state: stateOf(found), text: await file.readFile('utf8') } : { reason }
  } finally {
    await file.close()
  }
}

/** Whoever has not finished writing after so many milliseconds was killed meanwhile. */
const ABANDONED_MS = 3_600_000

/** Removes what processes that were killed have left half-written, where it may look. */
async function sweep(folder: string): Promise<void> {
  if (!isPermitted({ name: 'read', path: folder })) return
  const left = (await readdir(folder)).filter((name) => /^[0-9a-f]{64}\.json\.[0-9a-f-]{36}$/.test(name))
  for (const name of left) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
  }
}

/** Why files may not be used: on Deno it is given, and never asked for. */
function refusalOf(name: 'read' | 'write', folder: string): string | undefined {
  return isPermitted({ name, path: folder }) ? undefined : `Deno was given no permission to ${name} there`
}

/**
 * Keeps measurements in one small file each. A missing, corrupt, foreign or read-only file only costs a measurement
 * per process, in which it is kept in memory; the reason is in `lastFailure` until the file is written anew.
 * @param where - the folder; default: the user's cache folder.
 */
export function fileCache(where?: string): FileCache {
  const folder = where ?? defaultFolder() ?? ''
  /** Reasons by key. */
  const failures = new Map<string, string>()
  const note = (key: string, error: unknown): void => {
    failures.set(key, error instanceof Error ? error.message : String(error))
  }
  if (folder === '') note('', 'the user has no home folder, or the runtime may not tell')
  const pathOf = (key: string): string =>
    join(folder, `${createHash('sha256').update(key).digest('hex')}.json`)
  /** By key, oldest first. */
  const read = new Map<string, Read>()
  /** What no file takes: answers that follow each other in one process must rest on the same timings. */
  const unwritten = new Map<string, string>()
  let made: Promise<void> | undefined
  /** Once for all entries, which are written at the same time. */
  const ready = (): Promise<void> => {
    made ??= makeFolder(folder)
      .then(() => sweep(folder).catch(() => undefined))
      .catch((error: unknown) => {
        made = undefined
        throw error
      })
    return made
  }
  /** Writes once the folder is there; somebody may take it away while the process lives. */
  const inFolder = async (write: () => Promise<void>): Promise<void> => {
    const before = ready()
    await before
    await write().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      if (made === before) made = undefined
      return ready().then(write)
    })
  }
  const fromFile = async (key: string): Promise<string | undefined> => {
    if (folder === '') return undefined
    const refusal = refusalOf('read', folder)
    if (refusal !== undefined) {
      note(key, refusal)
      return undefined
    }
    try {
      const path = pathOf(key)
      const state = stateOf(await lstat(path))
      const before = read.get(key)
      if (before?.state === state) return before.text
      const found = await readCarefully(path)
      if ('reason' in found) {
        note(key, found.reason)
        return undefined
      }
      const entry: unknown = JSON.parse(found.text)
      if (isEntry(entry) && entry.key === key) {
        remember(read, key, { state: found.state, text: entry.text })
        return entry.text
      }
      note(key, 'a cache file belongs to something else')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') note(key, error)
    }
    return undefined
  }
  return {
    folder,
    get lastFailure() {
      return [...failures.values()].at(-1)
    },
    async get(key) {
      return unwritten.get(key) ?? fromFile(key)
    },
    async set(key, text) {
      if (folder === '') return remember(unwritten, key, text)
      let temporary: string | undefined
      try {
        const refusal = refusalOf('write', folder)
        if (refusal !== undefined) throw new Error(refusal)
        // Where FIPS mode is requested and unusable there is no hash either.
        const path = pathOf(key)
        const unfinished = `${path}.${randomUUID()}`
        const entry = JSON.stringify({ key, text } satisfies Entry)
        temporary = unfinished
        // A rename is atomic: a reader sees the old file or the new one, never half of one.
        await inFolder(() => writeFile(unfinished, entry, { mode: 0o600 }))
        await rename(unfinished, path)
        failures.delete(key)
        unwritten.delete(key)
      } catch (error) {
        note(key, error)
        remember(unwritten, key, text)
        if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined)
      }
    },
  }
}
