// Serves a folder on localhost.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
}

/** Answers one request from a folder. */
export function answer(folder, headers, request, response) {
  const { pathname } = new URL(request.url, 'http://localhost')
  const name = pathname === '/' ? 'index.html' : pathname.slice(1)
  const file = join(folder, name)
  if (name.includes('..') || !existsSync(file)) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', ...headers })
  response.end(readFileSync(file))
}

/**
 * Starts a server.
 * @param handle - takes request and response.
 * @returns `{ url, close }`.
 */
export async function serve(handle) {
  const server = createServer(handle)
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    // Secure contexts are pages of localhost, whatever its number.
    url: `http://localhost:${server.address().port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
