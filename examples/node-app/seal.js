// Picks an algorithm, makes a key, encrypts, and stores all that another process needs.
import { mkdir, writeFile } from 'node:fs/promises'
import { encodeKey, explainLimits, selectAead } from 'aeadkit'

const pick = await selectAead({ volume: { messages: 1_000_000, messageBytes: 4096 } })
const key = pick.generateKey()
const sealer = await pick.createSealer(key)

const orders = ['3 apples', '5 pears', '42 quinces']
const boxes = []
for (const order of orders) {
  // Associated data is authenticated but not encrypted: whoever opens must give the same.
  const aad = new TextEncoder().encode(`order ${boxes.length}`)
  const box = await sealer.encrypt(new TextEncoder().encode(order), aad)
  boxes.push(Buffer.from(box).toString('base64'))
}

await mkdir('data', { recursive: true })
await writeFile('data/selection.json', JSON.stringify(pick)) // stored with the key: the algorithm never changes
await writeFile('data/key.txt', encodeKey(key), { mode: 0o600 }) // belongs into your secret store
await writeFile('data/orders.json', JSON.stringify(boxes))

console.log(`algorithm: ${pick.algorithm}, on ${JSON.stringify(pick.backend)}`)
for (const reason of pick.verdict.reasons) console.log(`because: ${reason}`)
for (const line of explainLimits(pick)) console.log(`limit: ${line}`)
console.log(`used: ${sealer.usage.messages} messages of at most ${pick.limits.messages}`)
