import { run } from './cli/program.ts'

// A reader that has seen enough (head, less) closes the pipe: that is no failure of the command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}
// Set, not exit(): output still on its way through a pipe must arrive.
process.exitCode = await run(process.argv.slice(2))
