/**
 * First messages of a handshake, as far as suites are concerned: a ClientHello with exactly the suites asked for, and
 * readers for the answers. RFC 9846 §4.1 (formerly RFC 8446), RFC 5246 §7.4.1.
 */
import type { TlsVersion } from './options.ts'

const RECORD = { alert: 21, handshake: 22 } as const
const MESSAGE = { clientHello: 1, serverHello: 2 } as const
const LEGACY = 0x0303

const u8 = (value: number): number[] => [value & 255]
const u16 = (value: number): number[] => [(value >> 8) & 255, value & 255]
const u24 = (value: number): number[] => [(value >> 16) & 255, ...u16(value)]
const vector8 = (data: readonly number[]): number[] => [...u8(data.length), ...data]
const vector16 = (data: readonly number[]): number[] => [...u16(data.length), ...data]
const extension = (type: number, data: readonly number[]): number[] => [...u16(type), ...vector16(data)]
const random = (count: number): number[] => [...globalThis.crypto.getRandomValues(new Uint8Array(count))]

const X25519 = 0x001d
const P256 = 0x0017
/** ecdsa_secp256r1_sha256, rsa_pss_rsae_sha256, rsa_pkcs1_sha256, and their larger siblings. */
const SIGNATURES = [0x0403, 0x0503, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501] as const

/**
 * A ClientHello record.
 * @param codes - code points of the suites, in the order to state.
 */
export function clientHelloOf(version: TlsVersion, codes: readonly number[]): Uint8Array {
  const shared = [
    ...extension(10, vector16([...u16(X25519), ...u16(P256)])),
    ...extension(13, vector16(SIGNATURES.flatMap(u16))),
  ]
  const own =
    version === 'TLSv1.3'
      ? [
          ...extension(43, vector8(u16(0x0304))),
          // Any 32 bytes are a public key of X25519; the handshake ends before anything is computed with it.
          ...extension(51, vector16([...u16(X25519), ...vector16(random(32))])),
        ]
      : // Uncompressed points, extended master secret (RFC 7627), renegotiation indication (RFC 5746).
        [...extension(11, vector8([0])), ...extension(23, []), ...extension(0xff01, vector8([]))]
  const body = [
    ...u16(LEGACY),
    ...random(32),
    ...vector8(version === 'TLSv1.3' ? random(32) : []),
    ...vector16(codes.flatMap(u16)),
    ...vector8([0]),
    ...vector16([...shared, ...own]),
  ]
  const message = [...u8(MESSAGE.clientHello), ...u24(body.length), ...body]
  return Uint8Array.from([...u8(RECORD.handshake), ...u16(0x0301), ...vector16(message)])
}

/** What a server answered: the code point of its suite, or the number of an alert; -1: it does not speak TLS. */
export type ServerAnswer = { readonly code: number } | { readonly alert: number }

/** First message of a stream of records, joined over fragments; `undefined` until it is complete. */
function firstMessage(
  stream: Uint8Array,
  limit: number,
): Uint8Array | { readonly alert: number } | undefined {
  const content: number[] = []
  for (let at = 0; at + 5 <= stream.length; ) {
    const length = (stream[at + 3]! << 8) | stream[at + 4]!
    const data = stream.subarray(at + 5, at + 5 + length)
    if (stream[at] === RECORD.alert) {
      if (data.length >= 2) return { alert: data[1]! }
      return data.length < length ? undefined : { alert: -1 }
    }
    // RFC 9846 §5.1: there are no empty fragments; endless ones would be read for ever.
    if (stream[at] !== RECORD.handshake || length === 0) return { alert: -1 }
    content.push(...data)
    if (content.length >= 4) {
      const size = 4 + ((content[1]! << 16) | (content[2]! << 8) | content[3]!)
      if (content.length >= Math.min(size, limit)) return Uint8Array.from(content)
    }
    if (data.length < length) return undefined
    at += 5 + length
  }
  return undefined
}

/**
 * Reads what a server sent so far. A HelloRetryRequest has the form of a ServerHello and names the suite as well.
 * @returns `undefined` when more is to come.
 */
export function readServerAnswer(stream: Uint8Array): ServerAnswer | undefined {
  // Version, random and session id come before the suite: 4 + 2 + 32 + 1 + 32 + 2 bytes at most.
  const message = firstMessage(stream, 73)
  if (message === undefined || 'alert' in message) return message
  if (message[0] !== MESSAGE.serverHello) return { alert: -1 }
  const size = 4 + ((message[1]! << 16) | (message[2]! << 8) | message[3]!)
  const sessionBytes = message[38] ?? 0
  const at = 39 + sessionBytes
  if (sessionBytes > 32 || at + 1 >= size) return { alert: -1 }
  return at + 1 < message.length ? { code: (message[at]! << 8) | message[at + 1]! } : undefined
}

/**
 * Suites of a ClientHello, in its order.
 * @returns `undefined` when more is to come, an empty list when it is none.
 */
export function readClientSuites(stream: Uint8Array): readonly number[] | undefined {
  const message = firstMessage(stream, Number.POSITIVE_INFINITY)
  if (message === undefined) return undefined
  if ('alert' in message || message[0] !== MESSAGE.clientHello) return []
  const at = 39 + message[38]!
  const length = (message[at]! << 8) | message[at + 1]!
  const codes: number[] = []
  for (let next = at + 2; next + 1 < at + 2 + length; next += 2) {
    codes.push((message[next]! << 8) | message[next + 1]!)
  }
  return codes
}
