import { open } from 'node:fs/promises'
import { AeadError, ALGORITHMS, type AlgorithmId, encodeKey, generateKey } from '@aeadkit/core'
import type { Command } from 'commander'
import type { CliContext } from './context.ts'
import { algorithmOf } from './error-text.ts'
import { jsonText, type Output } from './output.ts'

interface Given {
  readonly algorithm: string
  readonly out?: string
  readonly json?: boolean
}

/** `aeadkit keygen`: a new key record in its text form. */
export function addKeygen(program: Command, context: CliContext, output: Output): void {
  program
    .command('keygen')
    .description('make a new key and print its text form, which contains the secret')
    .option('--algorithm <id>', `one of ${Object.keys(ALGORITHMS).join(', ')}`, 'xchacha20-poly1305')
    .option('--out <file>', 'write it to a new file that only you can read, instead of printing it')
    .option('--json', 'print JSON; with --out it does not contain the secret')
    .action(async (given: Given) => {
      const algorithm = algorithmOf(given.algorithm)
      if (given.out === '')
        throw new AeadError('invalid-argument', '--out takes the name of a new file, got ""')
      const record = generateKey(algorithm)
      const text = encodeKey(record)
      if (given.out !== undefined) await writeNew(given.out, `${text}\n`)
      const where = given.out === undefined ? { key: text } : { file: given.out }
      if (given.json === true) output.out(jsonText({ ...record.toJSON(), ...where }))
      else if (given.out === undefined) output.out(`${text}\n`)
      else output.err(`wrote key ${record.keyId} (${record.algorithm}) to ${given.out}\n`)
      record.destroy()
      await warnUnderFips(algorithm, context, output)
    })
}

/** The default is none of the list, and a selection of the same process would refuse it. */
async function warnUnderFips(algorithm: AlgorithmId, context: CliContext, output: Output): Promise<void> {
  if (ALGORITHMS[algorithm].fips === 'approved') return
  const { fips } = await context.observe({ backends: [], measure: 'never' })
  if (fips.state !== 'enforcing' && fips.state !== 'requested-unusable') return
  output.err(
    `notice: this process asks for FIPS, and FIPS 140-3 does not list ${algorithm}: npx aeadkit select names what may be used\n`,
  )
}

/** Never overwrites: the old key may be the only way to read old data. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    const why = exists ? 'it exists already, and an old key is never overwritten' : (cause as Error).message
    throw new AeadError('invalid-argument', `cannot write ${path}: ${why}`, { cause })
  }
}
