// Sends a message through the Worker and back.
const [url = 'http://localhost:8080'] = process.argv.slice(2)

async function post(path, body) {
  const response = await fetch(new URL(path, url), { method: 'POST', body })
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
}

const text = (bytes) => new TextDecoder().decode(bytes)

const sealed = await post('/encrypt', 'hello')
console.log(`/encrypt: ${sealed.status}, ${sealed.bytes.length} bytes`)

const opened = await post('/decrypt', sealed.bytes)
console.log(`/decrypt: ${opened.status}, ${text(opened.bytes)}`)

sealed.bytes[30] ^= 1
const refused = await post('/decrypt', sealed.bytes)
console.log(`/decrypt, changed by one bit: ${refused.status}, ${text(refused.bytes)}`)

const short = await post('/decrypt', sealed.bytes.subarray(0, 10))
console.log(`/decrypt, cut short: ${short.status}, ${text(short.bytes)}`)
