// What one process pays, as one line of JSON: `import <package>`, or the first and later calls of selectAead.
//   node child.js bare | import <specifier> | select memory|<folder of a file cache>
const [what = 'bare', which = ''] = process.argv.slice(2)

/** Milliseconds of one call of `work`. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Later calls: enough for the engine to have compiled what runs in them, of which the last ones count. */
const CALLS = 60
const COUNTED = 15

async function select(folder: string): Promise<object> {
  const imported = performance.now()
  const { loadBackends, selectAead } = await import('aeadkit')
  const { fileCache } = await import('aeadkit/cache')
  const importMs = performance.now() - imported
  const options = folder === 'memory' ? {} : { measurementCache: fileCache(folder) }
  // What selectAead itself would do first: apart, because it is paid once per process whatever is selected.
  const loadMs = await timed(() => loadBackends(undefined, []))
  const firstMs = await timed(() => selectAead(options))
  const again: number[] = []
  for (let call = 0; call < CALLS; call++) again.push(await timed(() => selectAead(options)))
  const last = again.slice(-COUNTED).sort((a, b) => a - b)
  return { importMs, loadMs, firstMs, secondMs: again[0], laterMs: last[COUNTED >> 1] }
}

if (what === 'import') {
  const ms = await timed(() => import(which))
  console.log(JSON.stringify({ importMs: ms }))
} else if (what === 'select') console.log(JSON.stringify(await select(which)))
else console.log('{}')
