// Runs the page of the regret bench in headless Chromium; `npm run bench:regret -- --runtimes=chromium` calls it.
import { loadavg } from 'node:os'
import { findChromium } from './chromium.mjs'
import { runBrowser } from './run.mjs'

/**
 * @param asked - what the page selects.
 * @param rounds - rounds of each comparison.
 * @returns `{ title, load, runs }`, one section of the bench's tables.
 */
export async function runRegretPage(asked, rounds) {
  if (findChromium() === undefined) throw new Error('Chromium is not installed')
  const load = Math.round(loadavg()[0] * 100) / 100
  const query = `?only=${asked.join()}&rounds=${rounds}`
  const { output, record } = await runBrowser({ page: 'browser/regret/page.js', query, seconds: 600 })
  if (record === undefined || record.error !== undefined) throw new Error(record?.error ?? output)
  return { load, ...record }
}
