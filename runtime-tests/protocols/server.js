/** A TLS server for any runtime: `server.js KEY CERT OPTIONS`; says `listening PORT`, then the suite of every connection. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:tls'

const [key, cert, options] = process.argv.slice(2)
const server = createServer(
  { ...JSON.parse(options), key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') },
  (socket) => {
    socket.on('error', () => {})
    console.log(`suite ${socket.getCipher()?.standardName}`)
    // An answer that a proxy in front takes for one.
    socket.end('HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok')
  },
)
server.on('tlsClientError', () => {})
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`))
