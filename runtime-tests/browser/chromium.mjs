// Headless Chromium: where it is, how it is started and ended, and what a page of it says.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

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

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** How often a page is asked, in milliseconds. */
const POLL_MS = 100

/** Path of a Chromium, or undefined; `AEADKIT_CHROMIUM` names another. */
export function findChromium() {
  return [process.env.AEADKIT_CHROMIUM, ...PLACES].find((path) => path !== undefined && existsSync(path))
}

/** Why there is none, for people. */
export const NO_CHROMIUM =
  'Chromium is not installed (apt-get install chromium, or AEADKIT_CHROMIUM names one)'

/**
 * Starts it in a process group of its own, so that its helpers end with it.
 * @param args - more flags, then the address.
 * @param profile - folder for its profile; removed by the caller.
 * @param pipe - whether to open the pipe of the DevTools protocol as descriptors 3 and 4.
 */
export function startChromium(args, profile, pipe = false) {
  const flags = [...FLAGS, `--user-data-dir=${profile}`, ...(pipe ? ['--remote-debugging-pipe'] : [])]
  const stdio = ['ignore', 'pipe', 'pipe', ...(pipe ? ['pipe', 'pipe'] : [])]
  return spawn(findChromium(), [...flags, ...args], { detached: true, stdio })
}

/** Ends it with its helpers. */
export async function endChromium(child) {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGKILL')
  await gone
}

/** Calls of the DevTools protocol over the pipe: JSON texts that end in a zero byte. */
function connect(child) {
  const [, , , input, output] = child.stdio
  const waiting = new Map()
  let next = 0
  let rest = ''
  output.setEncoding('utf8').on('data', (chunk) => {
    const texts = (rest + chunk).split('\0')
    rest = texts.pop()
    for (const text of texts) {
      const { id, result, error } = JSON.parse(text)
      const { resolve, reject } = waiting.get(id) ?? {}
      waiting.delete(id)
      if (error === undefined) resolve?.(result)
      else reject?.(new Error(error.message))
    }
  })
  let ended = false
  const over = () => {
    ended = true
    for (const { reject } of waiting.values()) reject(new Error('Chromium ended'))
    waiting.clear()
  }
  child.on('exit', over)
  child.on('error', over)
  input.on('error', over)
  return (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(new Error('Chromium ended'))
      const id = ++next
      waiting.set(id, { resolve, reject })
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    })
}

/**
 * Opens a page and waits until an element of it has text.
 * @param url - address of the page.
 * @param selector - CSS selector of the element.
 * @param profile - folder for the browser's profile.
 * @param seconds - after these it counts as hung.
 * @returns the text; rejects with what the page said instead.
 */
export async function textOfPage(url, selector, profile, seconds) {
  const chromium = startChromium(['about:blank'], profile, true)
  for (const stream of [chromium.stdout, chromium.stderr]) stream.resume()
  let late = false
  // Ending it ends every call that waits.
  const timer = setTimeout(() => {
    late = true
    endChromium(chromium)
  }, seconds * 1000)
  try {
    const call = connect(chromium)
    const { targetId } = await call('Target.createTarget', { url })
    const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true })
    const expression = `document.querySelector(${JSON.stringify(selector)})?.textContent`
    for (;;) {
      const { result } = await call('Runtime.evaluate', { expression }, sessionId)
      if (typeof result.value === 'string' && result.value.trim() !== '') return result.value
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  } catch (error) {
    if (late) throw new Error(`the page at ${url} showed no text in ${selector} within ${seconds} s`)
    throw error
  } finally {
    clearTimeout(timer)
    await endChromium(chromium)
  }
}
