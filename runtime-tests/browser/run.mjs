// Serves the bundled page on localhost, opens it in headless Chromium, and returns the record it posts.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../bundle.mjs'
import { endChromium, startChromium } from './chromium.mjs'
import { answer, serve } from './serve.mjs'

/** Shared memory exists only in an isolated page. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}
/** No `wasm-unsafe-eval`: compiling WebAssembly is refused. */
export const STRICT = {
  'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
}

function siteHandler(folder, headers, received) {
  return (request, response) => {
    if (request.method !== 'POST') return answer(folder, headers, request, response)
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      response.end()
      received(Buffer.concat(chunks).toString('utf8'))
    })
  }
}

/**
 * @param options.strict - serve the page under the policy that refuses WebAssembly.
 * @param options.page - its script, a file named `page.js` below this folder's parent.
 * @param options.query - what its address ends in.
 * @param options.seconds - after these it counts as hung.
 * @returns `{ code, output, record }`; `record` is undefined when the page posted none.
 */
export async function runBrowser({
  strict = false,
  page = 'browser/page.js',
  query = strict ? '?strict' : '',
  seconds,
}) {
  const folder = mkdtempSync(join(tmpdir(), 'aeadkit-browser-'))
  const site = join(folder, 'site')
  let server
  let chromium
  let timer
  try {
    await bundle([page], site, ['browser'])
    copyFileSync(fileURLToPath(new URL('index.html', import.meta.url)), join(site, 'index.html'))
    let done
    const posted = new Promise((resolve) => {
      done = resolve
    })
    timer = setTimeout(done, seconds * 1000)
    server = await serve(siteHandler(site, strict ? STRICT : ISOLATED, done))
    let output = ''
    chromium = startChromium([`${server.url}${query}`], join(folder, 'profile'))
    for (const stream of [chromium.stdout, chromium.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    chromium.on('error', (error) => {
      output += error.message
      done()
    })
    chromium.on('exit', () => done())
    const text = await posted
    return text === undefined
      ? { code: 1, output: `${output}\nThe page sent no record within ${seconds} s.`, record: undefined }
      : { code: 0, output, record: JSON.parse(text) }
  } finally {
    clearTimeout(timer)
    server?.close()
    await endChromium(chromium)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
