// npm run test:protocols: the settings we print, against servers and clients that nobody here wrote.
//   --only tls,nginx,ssh,openvpn,runtimes,workers,boringssl
// Ends with `N passed, N failed`. A missing server is a failure when CI is set, else a named skip.
import { build } from '../../scripts/build.mjs'
import { ensure } from '../../scripts/ensure.mjs'
import { closingLine } from '../../scripts/tally.mjs'
import { Bench } from './bench.mjs'

const PARTS = {
  tls: async () => (await import('./tls.mjs')).tlsTests,
  nginx: async () => (await import('./nginx.mjs')).nginxTests,
  ssh: async () => (await import('./sshd.mjs')).sshTests,
  openvpn: async () => (await import('./openvpn.mjs')).openvpnTests,
  runtimes: async () => (await import('./runtimes.mjs')).runtimeTests,
  workers: async () => (await import('./runtimes.mjs')).workerTests,
  boringssl: async () => (await import('./runtimes.mjs')).boringsslTests,
}

function partsOf(args) {
  if (args.length === 0) return Object.keys(PARTS)
  const only = args[0] === '--only' ? (args[1]?.split(',') ?? []) : []
  if (args.length !== 2 || only.length === 0 || only.some((name) => PARTS[name] === undefined)) {
    throw new Error(`There is --only with some of ${Object.keys(PARTS).join(', ')}.`)
  }
  return only
}

const bench = new Bench()
try {
  const parts = partsOf(process.argv.slice(2))
  await ensure()
  const built = await build()
  if (built.code !== 0) throw new Error(`The build failed:\n${built.output}`)
  for (const part of parts) {
    const start = performance.now()
    try {
      await (await PARTS[part]())(bench)
    } catch (error) {
      bench.fail(part, error.stack)
    }
    console.log(`${part}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
} catch (error) {
  bench.fail('protocols', error.message)
} finally {
  await bench.close()
}
console.log(closingLine(bench.tally))
process.exitCode = bench.tally.failed > 0 || bench.tally.passed === 0 ? 1 : 0
