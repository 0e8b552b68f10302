// Serves the bundled page on localhost, opens it in headless Chromium, and returns the record it posts.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../bundle.mjs'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/** Shared memory exists only in an isolated page. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}
/** No `wasm-unsafe-eval`: compiling WebAssembly is refused. */
const STRICT = { 'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'" }

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of a Chromium, or undefined; `AEADKIT_CHROMIUM` names another. */
export function findChromium() {
  return [process.env.AEADKIT_CHROMIUM, ...PLACES].find((path) => path !== undefined && existsSync(path))
}

function serve(folder, headers, received) {
  const types = { '.js': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' }
  return createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    if (request.method === 'POST' && pathname === '/record') {
      const chunks = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        response.end()
        received(Buffer.concat(chunks).toString('utf8'))
      })
      return
    }
    const name = pathname === '/' ? 'index.html' : pathname.slice(1)
    const file = name === 'index.html' ? new URL('index.html', import.meta.url) : join(folder, name)
    if (name.includes('..') || !existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': types[name.slice(name.lastIndexOf('.'))], ...headers })
    response.end(readFileSync(file))
  })
}

/**
 * @param options.strict - serve the page under the policy that refuses WebAssembly.
 * @param options.seconds - after these it counts as hung.
 * @returns `{ code, output, record }`; `record` is undefined when the page posted none.
 */
export async function runBrowser({ strict = false, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'aeadkit-browser-'))
  let server
  let chromium
  try {
    await bundle(['browser/page.js'], join(folder, 'site'), ['browser'])
    let output = ''
    const text = await new Promise((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000)
      const done = (value) => {
        clearTimeout(timer)
        resolve(value)
      }
      server = serve(join(folder, 'site'), strict ? STRICT : ISOLATED, done)
      server.listen(0, '127.0.0.1', () => {
        const url = `http://localhost:${server.address().port}/${strict ? '?strict' : ''}`
        const flags = [...FLAGS, `--user-data-dir=${join(folder, 'profile')}`]
        // A process group of its own, so that its helpers end with it.
        chromium = spawn(findChromium(), [...flags, url], {
          detached: true,
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        for (const stream of [chromium.stdout, chromium.stderr])
          stream.on('data', (chunk) => (output += chunk))
        chromium.on('error', (error) => (output += error.message))
        chromium.on('exit', () => done(undefined))
      })
    })
    return text === undefined
      ? { code: 1, output: `${output}\nThe page sent no record within ${seconds} s.`, record: undefined }
      : { code: 0, output, record: JSON.parse(text) }
  } finally {
    server?.close()
    server?.closeAllConnections()
    await end(chromium)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function end(child) {
  if (child?.pid === undefined || child.exitCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGKILL')
  await gone
}
