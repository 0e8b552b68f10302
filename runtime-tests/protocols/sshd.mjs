// sshd with the printed Ciphers, and ssh with the printed configuration: who decides, and what is refused.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { advise } from './advise.mjs'
import { onFreePort, programPath, runToEnd } from './bench.mjs'

/** sshd wants this folder when it runs as root; the package's service makes it. */
const SEPARATION = '/run/sshd'

async function withSshd(bench, sshd, line, use) {
  const file = join(bench.folder, 'sshd_config')
  const linesFor = (port) => [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(bench.folder, 'host_key')}`,
    'PidFile none',
    'UsePAM no',
    'StrictModes no',
    'AuthorizedKeysFile none',
    line,
  ]
  const { port, server, tested } = await onFreePort(async (port) => {
    writeFileSync(file, `${linesFor(port).join('\n')}\n`)
    const tested = await runToEnd(sshd, ['-t', '-f', file])
    const args = ['-D', '-e', '-f', file]
    return { port, server: await bench.start(sshd, args, { ready: /Server listening/ }), tested }
  })
  try {
    bench.same('sshd -t', tested.code === 0 ? 'accepted' : tested.output, 'accepted')
    await use(port)
  } finally {
    await server.stop()
  }
}

/** The cipher that `ssh -v` says it negotiated, or why there is none. Nobody logs in. */
async function negotiated(bench, text, port) {
  const file = join(bench.folder, 'ssh_config')
  writeFileSync(file, `${text}\n`)
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'IdentityFile=none',
  ]
  const args = ['-v', '-F', file, ...options.flatMap((option) => ['-o', option]), '-p', String(port)]
  const { output } = await runToEnd('ssh', [...args, 'nobody@127.0.0.1', 'true'])
  const taken = /kex: server->client cipher: (\S+)/.exec(output)?.[1]
  return taken ?? (/no matching cipher found/.test(output) ? 'no matching cipher' : output.slice(-500))
}

/** What ssh itself reads in the configuration. */
async function understood(bench, text) {
  const file = join(bench.folder, 'ssh_config')
  writeFileSync(file, `${text}\n`)
  const { output } = await runToEnd('ssh', ['-G', '-F', file, '127.0.0.1'])
  return /^ciphers (\S+)$/m.exec(output)?.[1]
}

export async function sshTests(bench) {
  const sshd = programPath('sshd')
  if (sshd === undefined || programPath('ssh') === undefined) {
    return bench.missing('sshd or ssh is not installed (scripts/install-servers.sh)')
  }
  const made = !existsSync(SEPARATION) && process.getuid?.() === 0
  if (made) mkdirSync(SEPARATION, { mode: 0o755 })
  try {
    await conversations(bench, sshd)
  } finally {
    if (made) rmdirSync(SEPARATION)
  }
}

async function conversations(bench, sshd) {
  const key = join(bench.folder, 'host_key')
  const keygen = await runToEnd('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  if (keygen.code !== 0) throw new Error(`ssh-keygen failed:\n${keygen.output}`)
  const aes = await advise(['ssh', '--hardware', 'hardware'])
  const chacha = await advise(['ssh', '--hardware', 'none'])
  const fips = await advise(['ssh', '--fips', 'approved-algorithms'])
  const server = await advise(['ssh', '--role', 'server', '--hardware', 'hardware'])
  const fipsServer = await advise(['ssh', '--role', 'server', '--fips', 'approved-algorithms'])

  bench.title('what ssh knows and understands')
  const known = (await runToEnd('ssh', ['-Q', 'cipher-auth'])).stdout
    .split('\n')
    .filter((name) => name !== '')
  bench.same('ssh -Q cipher-auth', known.sort(), [...server.ciphers].sort())
  for (const { text, ciphers } of [aes, chacha, fips]) {
    console.log(text.replace(/^/gm, '  | '))
    bench.same('ssh -G', await understood(bench, text), ciphers.join(','))
  }

  bench.title(`sshd with: ${server.text}`)
  await withSshd(bench, sshd, server.text, async (port) => {
    bench.same('client on AES hardware', await negotiated(bench, aes.text, port), 'aes128-gcm@openssh.com')
    bench.same('client without', await negotiated(bench, chacha.text, port), 'chacha20-poly1305@openssh.com')
  })
  const reversed = `Ciphers ${[...server.ciphers].reverse().join(',')}`
  bench.title(`sshd with the other order, the client decides: ${reversed}`)
  await withSshd(bench, sshd, reversed, async (port) => {
    bench.same('client on AES hardware', await negotiated(bench, aes.text, port), 'aes128-gcm@openssh.com')
    bench.same('client without', await negotiated(bench, chacha.text, port), 'chacha20-poly1305@openssh.com')
  })
  bench.title(`sshd under FIPS: ${fipsServer.text}`)
  await withSshd(bench, sshd, fipsServer.text, async (port) => {
    bench.same('client under FIPS', await negotiated(bench, fips.text, port), 'aes128-gcm@openssh.com')
    const only = 'Host *\n    Ciphers chacha20-poly1305@openssh.com'
    bench.same('client with ChaCha20 only', await negotiated(bench, only, port), 'no matching cipher')
    bench.same('client that prefers it', await negotiated(bench, chacha.text, port), 'aes128-gcm@openssh.com')
  })
}
