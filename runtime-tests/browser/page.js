// A page, served on localhost: once as it is, and once (`?strict`) under a content security policy that refuses
// WebAssembly; there few vectors run, and what is refused must say so.
import { PORTABLE } from '../backends.js'
import { textOf } from '../shim.js'
import { runSuite } from '../suite.js'

const strict = location.search === '?strict'

function wasmRefused() {
  try {
    new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))
    return false
  } catch {
    return true
  }
}

/** Arrays of another realm are those of another window. */
function otherWindow() {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  return frame.contentWindow
}

let body
try {
  if (wasmRefused() !== strict)
    throw new Error(`WebAssembly is ${strict ? 'allowed under the strict policy' : 'refused'}`)
  const options = strict ? { mostVectors: 8, parts: ['conformance', 'selector', 'transcript'] } : {}
  const other = otherWindow()
  const foreignBytes = [{ name: 'another realm', make: (bytes) => new other.Uint8Array(bytes) }]
  body = await runSuite({ sources: PORTABLE, foreignBytes, ...options })
} catch (error) {
  body = { error: textOf(error) }
}
await fetch('/record', { method: 'POST', body: JSON.stringify(body) })
