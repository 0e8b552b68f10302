import { endWithReader } from './cli/pipes.ts'
import { run } from './cli/program.ts'

endWithReader()
// Set, not exit(): output still on its way through a pipe must arrive.
process.exitCode = await run(process.argv.slice(2))
