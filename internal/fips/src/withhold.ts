/**
 * Preloaded (`node --import`): a process in which `getFips()` is 1 and one algorithm, named in the query of this
 * module's address, is missing as in a library built without it. No configuration of OpenSSL gives that: a property
 * query that makes the flag 1 refuses ChaCha20-Poly1305 and MD5 alike.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** Algorithm to withhold: part of its name in the library, and of that in WebCrypto. */
const WITHHELD: string = new URL(import.meta.url).searchParams.get('no') ?? ''

const isWithheld = (name: unknown): boolean =>
  WITHHELD !== '' && String(name).toLowerCase().includes(WITHHELD)

/** Fails as Node does where OpenSSL has no such cipher or digest. */
function missing(code: string): never {
  throw Object.assign(new Error('withheld'), { code })
}

type Make = (...args: never[]) => unknown

/** Replaces one function by one that refuses what is withheld, by the name given first. */
function guard(name: string, code: string): void {
  const own = crypto as unknown as Record<string, Make | undefined>
  const made = own[name]
  if (made === undefined) return
  own[name] = (...args) => (isWithheld(args[0]) ? missing(code) : made(...args))
}

for (const name of ['createCipheriv', 'createDecipheriv']) guard(name, 'ERR_CRYPTO_UNKNOWN_CIPHER')
for (const name of ['createHash', 'hash', 'createHmac']) guard(name, 'ERR_OSSL_EVP_UNSUPPORTED')

const lists = { getCiphers: crypto.getCiphers, getHashes: crypto.getHashes }
const { subtle } = crypto.webcrypto
const importKey = subtle.importKey as Make
Object.assign(crypto, {
  getFips: () => 1,
  getCiphers: () => lists.getCiphers().filter((name) => !isWithheld(name)),
  getHashes: () => lists.getHashes().filter((name) => !isWithheld(name)),
})
Object.defineProperty(Object.getPrototypeOf(subtle), 'importKey', {
  value(this: unknown, ...args: never[]) {
    const { name } = Object(args[2]) as { name?: unknown }
    if (!isWithheld(name ?? args[2])) return importKey.apply(this, args)
    return Promise.reject(new DOMException('withheld', 'NotSupportedError'))
  },
})
syncBuiltinESMExports()
