import type { WebCryptoLike } from '../src/index.ts'

/** One call that reached a WebCrypto. */
export interface Call {
  readonly method: 'importKey' | 'encrypt' | 'decrypt'
  readonly args: readonly unknown[]
}

/** The platform's WebCrypto as if handed in: records calls, and replaces methods by name. */
export function recording(replaced: Readonly<Record<string, (...args: never[]) => Promise<unknown>>> = {}): {
  readonly crypto: WebCryptoLike
  readonly calls: Call[]
} {
  const calls: Call[] = []
  const subtle = Object.fromEntries(
    (['importKey', 'encrypt', 'decrypt'] as const).map((method) => [
      method,
      (...args: never[]) => {
        calls.push({ method, args })
        const own = globalThis.crypto.subtle[method] as (...all: never[]) => Promise<unknown>
        return replaced[method]?.(...args) ?? own.apply(globalThis.crypto.subtle, args)
      },
    ]),
  )
  return { crypto: { subtle }, calls }
}

/** An error as a WebCrypto throws it. */
export function domError(name: string, message = 'failed'): Error {
  return Object.assign(new Error(message), { name })
}
