// The regret bench in a page, over the bundled build. One page does it all: only its first selection is cold.
import { textOf } from '../../shim.js'

const asked = new URLSearchParams(location.search)
const effort = { rounds: Number(asked.get('rounds')), sampleMs: 2, warmMs: 40 }
let body
try {
  // Not static: chunks that it loads later would import from this script and wait for its end, which waits for them.
  const { measureRegret } = await import('../../../internal/bench/dist/regret/measure.js')
  const runs = []
  for (const one of asked.get('only').split(',')) runs.push(await measureRegret(one, effort))
  const [, version = 'unknown'] = /Chrome\/([\d.]+)/.exec(navigator.userAgent) ?? []
  body = { title: `chromium ${version}`, runs }
} catch (error) {
  body = { error: textOf(error) }
}
await fetch('/record', { method: 'POST', body: JSON.stringify(body) })
