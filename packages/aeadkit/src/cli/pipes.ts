/**
 * Ends the process quietly when a reader that has seen enough (head, less) closes the pipe: that is no failure. Output
 * that cannot be written for another reason, as on a full disk, is one: code 1, in one line.
 */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') process.exit()
      if (stream !== process.stderr) process.stderr.write(`error: the output cannot be written: ${message}\n`)
      process.exit(1)
    })
  }
}
