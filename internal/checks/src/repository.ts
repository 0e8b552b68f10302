import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The part of a package.json that the rules read. */
export interface Manifest {
  readonly name: string
  readonly version?: string
  readonly description?: string
  readonly private?: boolean
  readonly type?: string
  readonly sideEffects?: unknown
  readonly engines?: { readonly node?: string }
  readonly license?: string
  readonly files?: readonly string[]
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The part of a jsr.json that the rules read. */
export interface JsrManifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, string>>
}

/** One workspace. */
export interface Workspace {
  readonly name: string
  /** Folder relative to the root, with `/`. */
  readonly folder: string
  /** Absolute folder. */
  readonly path: string
  readonly manifest: Manifest
  readonly jsr: JsrManifest | undefined
  /** Whether it goes to a registry. */
  readonly published: boolean
  /** Its tracked files relative to its folder, with `/`. */
  readonly files: readonly string[]
}

/** A checkout as the rules see it. */
export interface Repository {
  readonly root: string
  readonly manifest: Manifest
  readonly workspaces: readonly Workspace[]
  /** The workspaces that go to a registry. */
  readonly published: readonly Workspace[]
  /** All tracked files relative to the root, with `/`. */
  readonly files: readonly string[]
  /** Text of a tracked file. */
  text(file: string): string
}

const GROUPS = ['packages', 'internal']
const IGNORED = new Set(['node_modules', 'dist', '.git', '.turbo', 'coverage'])

/** Reads a checkout. Without git, all files outside build output count as tracked. */
export function readRepository(root: string): Repository {
  const files = trackedFiles(root)
  const workspaces = GROUPS.flatMap((group) => foldersOf(root, group)).map((folder) =>
    readWorkspace(root, folder, files),
  )
  const texts = new Map<string, string>()
  return {
    root,
    manifest: readJson(join(root, 'package.json')),
    workspaces,
    published: workspaces.filter((workspace) => workspace.published),
    files,
    text(file) {
      let text = texts.get(file)
      if (text === undefined) {
        text = readFileSync(join(root, file), 'utf8')
        texts.set(file, text)
      }
      return text
    },
  }
}

function foldersOf(root: string, group: string): string[] {
  const folder = join(root, group)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'package.json')))
    .map((name) => `${group}/${name}`)
    .sort()
}

function readWorkspace(root: string, folder: string, files: readonly string[]): Workspace {
  const path = join(root, folder)
  const manifest = readJson<Manifest>(join(path, 'package.json'))
  const jsrFile = join(path, 'jsr.json')
  return {
    name: manifest.name,
    folder,
    path,
    manifest,
    jsr: existsSync(jsrFile) ? readJson<JsrManifest>(jsrFile) : undefined,
    published: folder.startsWith('packages/') && manifest.private !== true,
    files: files.filter((file) => file.startsWith(`${folder}/`)).map((file) => file.slice(folder.length + 1)),
  }
}

function trackedFiles(root: string): string[] {
  const listed = existsSync(join(root, '.git'))
    ? execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      }).split('\0')
    : walk(root, '')
  const unique = new Set(listed.filter((file) => file !== '' && existsSync(join(root, file))))
  return [...unique].sort()
}

function walk(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (IGNORED.has(entry.name)) return []
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    return entry.isDirectory() ? walk(root, path) : [path]
  })
}

/** Whether a path is a file of its own, not a link to one. */
export function isRealFile(path: string): boolean {
  return existsSync(path) && lstatSync(path).isFile()
}

/** Parses a JSON file. */
export function readJson<T = Manifest>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}

/** TypeScript files of a workspace below one of its folders, for example `src`. */
export function sourcesOf(workspace: Workspace, folder: 'src' | 'test'): string[] {
  return workspace.files.filter((file) => file.startsWith(`${folder}/`) && file.endsWith('.ts'))
}
