// Another process: restores the selection and the key, and decrypts.
import { readFile } from 'node:fs/promises'
import { decodeKey, isAeadError, restoreSelection } from 'aeadkit'

const pick = await restoreSelection(await readFile('data/selection.json', 'utf8'))
const sealer = await pick.createSealer(decodeKey(await readFile('data/key.txt', 'utf8')))

const boxes = JSON.parse(await readFile('data/orders.json', 'utf8'))
for (const [index, box] of boxes.entries()) {
  const aad = new TextEncoder().encode(`order ${index}`)
  const order = await sealer.decrypt(Buffer.from(box, 'base64'), aad)
  console.log(`order ${index}: ${new TextDecoder().decode(order)}`)
}

try {
  await sealer.decrypt(Buffer.from(boxes[0], 'base64'), new TextEncoder().encode('order 1'))
} catch (error) {
  if (!isAeadError(error)) throw error
  console.log(`order 0 passed off as order 1: ${error.code}`)
}
console.log(`used: ${sealer.usage.failedOpens} failed opening of at most ${pick.limits.failedOpens}`)
