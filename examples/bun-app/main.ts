import { decodeKey, encodeKey, restoreSelection, selectAead } from 'aeadkit'

const text = new TextEncoder()

const pick = await selectAead()
const key = pick.generateKey()
const sealer = await pick.createSealer(key)
const box: Uint8Array = await sealer.encrypt(text.encode('hello'), text.encode('greeting 1'))

// What is stored with the key brings the same algorithm back, on any runtime.
const stored = { selection: JSON.stringify(pick), key: encodeKey(key) }
const again = await restoreSelection(stored.selection)
const reader = await again.createSealer(decodeKey(stored.key))
const opened = await reader.decrypt(box, text.encode('greeting 1'))

console.log(`runtime: ${pick.evidence.runtime} ${pick.evidence.runtimeVersion}`)
console.log(`algorithm: ${again.algorithm}, on ${JSON.stringify(again.backend)}`)
console.log(`AES instructions: ${pick.evidence.aes}`)
console.log(`opened: ${new TextDecoder().decode(opened)}`)
