/** A throwaway certificate for one probe: X.509 v3, self-signed, valid for a day. RFC 5280 §4.1, DER of X.690. */
import type { TlsModules } from './modules.ts'

/** A key and its certificate, as PEM. */
export interface KeyAndCertificate {
  readonly key: string
  readonly cert: string
}

const TAG = { integer: 0x02, bits: 0x03, oid: 0x06, utf8: 0x0c, sequence: 0x30, set: 0x31, utcTime: 0x17 }
const DAY_MS = 86_400_000

function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  const out = new Uint8Array(1 + size.length + length)
  out.set([tag, ...size])
  let at = 1 + size.length
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values)
const text = (value: string): Uint8Array => new TextEncoder().encode(value)

/** UTCTime, which holds until 2049 (RFC 5280 §4.1.2.5.1). */
function utcTime(ms: number): Uint8Array {
  const digits = new Date(ms).toISOString().replace(/\D/g, '')
  return der(TAG.utcTime, text(`${digits.slice(2, 14)}Z`))
}

function pem(label: string, data: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...data))
  const lines = base64.match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

const KINDS: Readonly<
  Record<
    'ecdsa' | 'rsa',
    { readonly kind: string; readonly options: object; readonly algorithm: () => Uint8Array }
  >
> = {
  // ecdsa-with-SHA256, 1.2.840.10045.4.3.2 (RFC 5758 §3.2): no parameters.
  ecdsa: {
    kind: 'ec',
    options: { namedCurve: 'P-256' },
    algorithm: () => der(TAG.sequence, der(TAG.oid, bytes(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2))),
  },
  // sha256WithRSAEncryption, 1.2.840.113549.1.1.11 (RFC 4055 §5): parameters are NULL.
  rsa: {
    kind: 'rsa',
    options: { modulusLength: 2048 },
    algorithm: () =>
      der(TAG.sequence, der(TAG.oid, bytes(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11)), bytes(5, 0)),
  },
}

/** Makes a key and its certificate for `localhost`. Synchronous; an RSA key takes a fraction of a second. */
export function throwawayCertificate(
  crypto: TlsModules['crypto'],
  auth: keyof typeof KINDS,
): KeyAndCertificate {
  const { algorithm, kind, options } = KINDS[auth]
  const { privateKey, publicKey } = crypto.generateKeyPairSync(kind, {
    ...options,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const serial = randomBytes(16)
  serial[0] = 0x40 | (serial[0]! & 0x3f)
  const commonName = der(TAG.sequence, der(TAG.oid, bytes(0x55, 4, 3)), der(TAG.utf8, text('localhost')))
  const name = der(TAG.sequence, der(TAG.set, commonName))
  const now = Date.now()
  const body = der(
    TAG.sequence,
    der(0xa0, der(TAG.integer, bytes(2))),
    der(TAG.integer, serial),
    algorithm(),
    name,
    der(TAG.sequence, utcTime(now - DAY_MS), utcTime(now + DAY_MS)),
    name,
    Uint8Array.from(publicKey),
  )
  const signature = Uint8Array.from(crypto.sign('sha256', body, privateKey))
  const certificate = der(TAG.sequence, body, algorithm(), der(TAG.bits, bytes(0), signature))
  return { key: privateKey, cert: pem('CERTIFICATE', certificate) }
}

/** Random bytes of the platform. */
function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  return globalThis.crypto.getRandomValues(new Uint8Array(count))
}
