/**
 * The main job on real input: a real file and 64 MiB encrypted and decrypted, checked, measured; then why this cipher,
 * and what runs here.
 */
import { createHash, getRandomValues } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import type { Sealer } from '@aeadkit/core'
import { explain, type Selection } from '@aeadkit/selector'
import { colours } from './cli/colour.ts'
import { runsOf } from './cli/diagnosis.ts'
import { timingsText } from './cli/doctor-details.ts'
import { runsText } from './cli/doctor-text.ts'
import { countText } from './cli/numbers.ts'
import { heading, tableText } from './cli/output.ts'
import { endWithReader } from './cli/pipes.ts'
import { explanationText } from './cli/select.ts'
import { loadBackends, selectAead } from './index.ts'

const CHUNK_BYTES = 65536
const GENERATED_BYTES = 64 * 1024 * 1024

const write = (text: string): void => void process.stdout.write(text)

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

interface Trip {
  readonly name: string
  readonly bytes: number
  readonly boxes: number
  readonly sealMs: number
  readonly openMs: number
  readonly digest: string
}

/** Encrypts in chunks, decrypts, compares SHA-256. The AAD names the file, the chunk and whether it is the last. */
async function roundTrip(sealer: Sealer, name: string, content: Uint8Array): Promise<Trip> {
  const count = Math.max(1, Math.ceil(content.length / CHUNK_BYTES))
  const aadOf = (chunk: number): Uint8Array =>
    new TextEncoder().encode(`${name}\n${chunk}\n${chunk === count - 1}`)
  const boxes: Uint8Array[] = []
  const start = performance.now()
  for (let chunk = 0; chunk < count; chunk++) {
    boxes.push(
      await sealer.encrypt(content.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES), aadOf(chunk)),
    )
  }
  const sealed = performance.now()
  const opened = new Uint8Array(content.length)
  for (const [chunk, box] of boxes.entries()) {
    opened.set(await sealer.decrypt(box, aadOf(chunk)), chunk * CHUNK_BYTES)
  }
  const end = performance.now()
  const digest = sha256(content)
  if (sha256(opened) !== digest) throw new Error(`${name}: what was decrypted is not what was encrypted`)
  return { name, bytes: content.length, boxes: count, sealMs: sealed - start, openMs: end - sealed, digest }
}

function generated(bytes: number): Uint8Array {
  const content = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += CHUNK_BYTES) getRandomValues(content.subarray(at, at + CHUNK_BYTES))
  return content
}

const rate = (bytes: number, ms: number): string => `${(bytes / 1000 / Math.max(ms, 0.001)).toFixed(0)} MB/s`

function tripRow({ name, bytes, boxes, sealMs, openMs, digest }: Trip): readonly string[] {
  return [
    name,
    String(bytes),
    String(boxes),
    rate(bytes, sealMs),
    rate(bytes, openMs),
    `${digest.slice(0, 16)}… equal`,
  ]
}

endWithReader()
const loaded = await loadBackends(undefined, [])
const pick: Selection = await selectAead({ backends: loaded.backends })
const key = pick.generateKey()
const sealer = await pick.createSealer(key)
const file = new URL('../../../package-lock.json', import.meta.url)
const trips = [
  await roundTrip(sealer, 'package-lock.json', await readFile(file)),
  await roundTrip(sealer, 'generated', generated(GENERATED_BYTES)),
]
write(
  `${colours.bold(`Encrypted and decrypted with ${sealer.algorithm} on backend ${sealer.backendName}, key ${sealer.keyId}`)}\n`,
)
write(
  tableText(['input', 'bytes', 'boxes', 'encrypt', 'decrypt', 'SHA-256'], trips.map(tripRow), [1, 2, 3, 4]),
)
write(
  `\nthis key has sealed ${sealer.usage.messages} messages; the selection allows ${countText(pick.limits.messages)}\n`,
)
write(`\n${explanationText(explain(pick))}`)
write('\n')
write(runsText(runsOf(pick.evidence, pick.evidence, loaded)))
write(heading('Measured in this process'))
write(timingsText(pick.evidence))
write('\nevery observation behind this: npx aeadkit doctor --details\n')
sealer.destroy()
key.destroy()
