/**
 * One fixed script. Its text must be the same on every backend and runtime: sealed bytes, opened bytes, error codes
 * and the messages of core. `golden.txt` is what it must say.
 */
import { ALGORITHMS, createAead, createSealer, importKey, isAeadError } from '@aeadkit/core'

const KEY = Uint8Array.from({ length: 64 }, (_, i) => (7 * i + 3) & 0xff)
const NONCE = Uint8Array.from({ length: 32 }, (_, i) => 0x20 + i)
const PLAINTEXTS = [0, 1, 16, 22, 65, 200]
const AADS = [0, 6, 33]
const KEY_ID = '0123456789abcdef'

const pattern = (length, seed) => Uint8Array.from({ length }, (_, i) => (i * 31 + seed) & 0xff)

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function flipped(bytes, at) {
  const copy = new Uint8Array(bytes)
  copy[at < 0 ? copy.length + at : at] ^= 1
  return copy
}

/** `code: message` of a refusal; anything else is said as it is, and then differs from the golden text. */
async function refusal(call) {
  try {
    await call()
    return 'accepted'
  } catch (error) {
    return isAeadError(error)
      ? `${error.code}: ${error.message}`
      : `no AeadError: ${error?.name}: ${error?.message}`
  }
}

/** The script for one algorithm on one backend, as lines. */
export async function algorithmLines(backend, id) {
  const params = ALGORITHMS[id]
  const key = KEY.slice(0, params.keyBytes)
  const nonce = NONCE.slice(0, params.nonceBytes)
  const lines = [`## ${id}`]
  const aead = await createAead(backend, id, key, { nonceCheck: false })
  for (const plaintextBytes of PLAINTEXTS) {
    for (const aadBytes of AADS) {
      if (plaintextBytes + aadBytes === 0 && params.bound.startsWith('mgm')) continue
      const plaintext = pattern(plaintextBytes, 5)
      const aad = pattern(aadBytes, 9)
      const sealed = await aead.seal(nonce, plaintext, aad)
      const opened = await aead.open(nonce, sealed, aad)
      const same = hex(opened) === hex(plaintext) ? 'opens' : `opens to ${hex(opened)}`
      lines.push(`${plaintextBytes}/${aadBytes} ${hex(sealed)} ${same}`)
      if (aead.sync && hex(aead.sealSync(nonce, plaintext, aad)) !== hex(sealed))
        lines.push('sealSync differs')
    }
  }
  const aad = pattern(6, 9)
  const sealed = await aead.seal(nonce, pattern(22, 5), aad)
  const empty = await aead.seal(nonce, new Uint8Array(0), aad)
  const refusals = {
    'first bit': () => aead.open(nonce, flipped(sealed, 0), aad),
    'last bit': () => aead.open(nonce, flipped(sealed, -1), aad),
    'empty message, last bit': () => aead.open(nonce, flipped(empty, -1), aad),
    'empty message, other AAD': () => aead.open(nonce, empty, flipped(aad, 0)),
    'other AAD': () => aead.open(nonce, sealed, flipped(aad, 0)),
    'no AAD': () => aead.open(nonce, sealed),
    'other nonce': () => aead.open(flipped(nonce, 3), sealed, aad),
    'one byte cut': () => aead.open(nonce, sealed.subarray(0, -1), aad),
    'shorter than a tag': () => aead.open(nonce, sealed.subarray(0, params.tagBytes - 1), aad),
    nothing: () => aead.open(nonce, new Uint8Array(0), aad),
    'short nonce': () => aead.seal(nonce.subarray(1), sealed, aad),
    'long nonce': () => aead.seal(NONCE.slice(0, params.nonceBytes + 1).fill(1), sealed, aad),
    'text as plaintext': () => aead.seal(nonce, 'text', aad),
    'text as AAD': () => aead.seal(nonce, sealed, 'text'),
    'number as nonce': () => aead.seal(12, sealed, aad),
    'no plaintext': () => aead.seal(nonce),
    'short key': () => createAead(backend, id, key.subarray(1)),
    'text as key': () => createAead(backend, id, 'k'.repeat(params.keyBytes)),
  }
  for (const [name, call] of Object.entries(refusals)) lines.push(`${name} -> ${await refusal(call)}`)
  aead.destroy()
  lines.push(`destroyed -> ${await refusal(() => aead.seal(nonce, sealed, aad))}`)
  const watched = await createAead(backend, id, key)
  await watched.seal(nonce, sealed, aad)
  lines.push(`same nonce again -> ${(await refusal(() => watched.seal(nonce, sealed, aad))).split(':')[0]}`)
  watched.destroy()
  return lines
}

/** The script for sealers, over whichever of `backends` has the algorithm. */
export async function sealerLines(backends, id) {
  const lines = [`## sealer ${id}`]
  const params = ALGORITHMS[id]
  const record = (keyId) => importKey({ algorithm: id, keyId, secret: KEY.slice(0, params.keyBytes) })
  const fixedField = pattern(params.nonceBytes - 8, 77)
  const make = (format, keyId = KEY_ID) =>
    createSealer(record(keyId), { backends, format, nonces: { kind: 'counter', fixedField, start: 7 } })
  const plaintext = pattern(22, 5)
  const aad = pattern(6, 9)
  const sealer = await make('box')
  const boxes = []
  for (let i = 0; i < 2; i++) boxes.push(await sealer.encrypt(plaintext, aad))
  for (const box of boxes) lines.push(`box ${hex(box)} ${hex(await sealer.decrypt(box, aad))}`)
  const bare = await make('bare')
  const [box] = boxes
  const loose = await bare.encrypt(plaintext, aad)
  lines.push(`bare ${hex(loose)} ${hex(await bare.decrypt(loose, aad))}`)
  const other = await make('box', 'fedcba9876543210')
  const refusals = {
    'other version': () => sealer.decrypt(flipped(box, 0), aad),
    'other key id': () => other.decrypt(box, aad),
    'changed nonce': () => sealer.decrypt(flipped(box, 12), aad),
    'changed tag': () => sealer.decrypt(flipped(box, -1), aad),
    'other AAD': () => sealer.decrypt(box, pattern(6, 10)),
    'cut short': () => sealer.decrypt(box.subarray(0, 20), aad),
    text: () => sealer.encrypt('text', aad),
    'no such algorithm': () => createSealer('aes-265-gcm', { backends }),
    'misspelt option': () => createSealer(record(KEY_ID), { backends, nonses: 'random' }),
    'no backends': () => createSealer(record(KEY_ID), { backends: [] }),
  }
  for (const [name, call] of Object.entries(refusals)) lines.push(`${name} -> ${await refusal(call)}`)
  for (const each of [sealer, bare, other]) each.destroy()
  lines.push(`destroyed -> ${await refusal(() => sealer.encrypt(plaintext, aad))}`)
  return lines
}
