// nginx with the printed snippet, against `openssl s_client`, and as a client of a Node server.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { advise } from './advise.mjs'
import { onFreePort, programPath, runToEnd } from './bench.mjs'
import { connect, makeCertificate } from './openssl.mjs'
import { tryOrders, UNAPPROVED } from './tls.mjs'

const SERVER = fileURLToPath(new URL('server.js', import.meta.url))

/** A whole configuration around a server block, with every file in the folder of the tests. */
function configuration(folder, block) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${join(folder, name)};`)
    .join('\n')
  return `daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
error_log stderr notice;
events { worker_connections 16; }
http {
  access_log off;
${temporary}
  server {
${block.replace(/^(?=.)/gm, '    ')}
  }
}
`
}

/** @param blockFor - the server block for a port. */
async function withNginx(bench, nginx, blockFor, use) {
  const file = join(bench.folder, 'nginx.conf')
  const args = ['-p', bench.folder, '-c', file]
  const { port, server, tested } = await onFreePort(async (port) => {
    writeFileSync(file, configuration(bench.folder, blockFor(port)))
    const tested = await runToEnd(nginx, ['-t', ...args])
    const ready = /start worker|using the "epoll"|OS: Linux/
    return { port, server: await bench.start(nginx, args, { ready }), tested }
  })
  try {
    bench.same(
      'nginx -t',
      /test is successful/.test(tested.output) ? 'test is successful' : tested.output,
      'test is successful',
    )
    await use(port)
  } finally {
    await server.stop()
  }
}

/** The printed snippet in a server block. */
async function asServer(bench, nginx, certificate, args, use) {
  const { text } = await advise(['nginx', ...args])
  bench.title(`nginx with the snippet of: aeadkit advise nginx ${args.join(' ')}`)
  console.log(text.replace(/^/gm, '  | '))
  const blockFor = (port) => `listen 127.0.0.1:${port} ssl;
ssl_certificate ${certificate.cert};
ssl_certificate_key ${certificate.key};
${text}
return 204;`
  await withNginx(bench, nginx, blockFor, use)
}

/** nginx is a client of an upstream server: the server, which follows its client, says what was taken. */
async function asClient(bench, nginx, certificate, hardware, expected) {
  const upstream = await bench.start(
    process.execPath,
    [SERVER, certificate.key, certificate.cert, JSON.stringify({ honorCipherOrder: false })],
    { ready: /^listening (\d+)$/m },
  )
  const { text } = await advise(['nginx', '--role', 'client', '--hardware', hardware])
  bench.title(`nginx as a client of Node: aeadkit advise nginx --role client --hardware ${hardware}`)
  console.log(text.replace(/^/gm, '  | '))
  const blockFor = (port) => `listen 127.0.0.1:${port};
location / {
  ${text.replaceAll('\n', '\n  ')}
  proxy_pass https://127.0.0.1:${upstream.found[1]};
}`
  await withNginx(bench, nginx, blockFor, async (port) => {
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    bench.same('the answer through nginx', await answer.text(), 'ok')
    const [, suite] = (await upstream.said(/^suite (\S+)$/m)) ?? []
    bench.same('the suite the upstream server saw', suite, expected)
  })
  await upstream.stop()
}

export async function nginxTests(bench) {
  const nginx = programPath('nginx')
  if (nginx === undefined) return bench.missing('nginx is not installed (scripts/install-servers.sh)')
  const certificate = await makeCertificate(bench.folder)
  await asServer(bench, nginx, certificate, [], (port) => tryOrders(bench, port, (row) => row.follows))
  const texts = await Promise.all(
    ['none', 'hardware'].map(async (hardware) => (await advise(['nginx', '--hardware', hardware])).text),
  )
  bench.same("a server's own CPU changes the snippet", texts[0] !== texts[1], false)
  await asServer(bench, nginx, certificate, ['--fips', 'approved-algorithms'], async (port) => {
    for (const version of ['TLSv1.3', 'TLSv1.2']) {
      const taken = await connect(port, version, [UNAPPROVED[version]])
      bench.same(`${version} ${UNAPPROVED[version]}`, taken, 'refused')
    }
    const both = [UNAPPROVED['TLSv1.3'], 'TLS_AES_256_GCM_SHA384']
    bench.same(`TLSv1.3 ${both.join(', ')}`, await connect(port, 'TLSv1.3', both), 'TLS_AES_256_GCM_SHA384')
  })
  await asServer(bench, nginx, certificate, ['--min-version', 'TLSv1.3'], async (port) => {
    bench.same(
      'TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256',
      await connect(port, 'TLSv1.2', ['ECDHE-ECDSA-AES128-GCM-SHA256']),
      'refused',
    )
    bench.same(
      'TLSv1.3 TLS_AES_128_GCM_SHA256',
      await connect(port, 'TLSv1.3', ['TLS_AES_128_GCM_SHA256']),
      'TLS_AES_128_GCM_SHA256',
    )
  })
  await asClient(bench, nginx, certificate, 'hardware', 'TLS_AES_128_GCM_SHA256')
  await asClient(bench, nginx, certificate, 'none', 'TLS_CHACHA20_POLY1305_SHA256')
}
