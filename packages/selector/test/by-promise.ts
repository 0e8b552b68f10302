import { type AsyncBackend, defineAsyncBackend, type SyncBackend } from '@aeadkit/core'

/** What stands in the way of an answer. */
export interface Delays {
  /** Awaited before a key is set up, before a message is sealed, and before one is opened. */
  readonly key?: () => Promise<void> | undefined
  readonly seal?: () => Promise<void> | undefined
  readonly open?: () => Promise<void> | undefined
}

/** A synchronous backend answering by promise. Inputs are read before the first await, as the contract wants. */
export function byPromise(backend: SyncBackend, delays: Delays = {}): AsyncBackend {
  const { raw } = backend
  return defineAsyncBackend({
    name: raw.name,
    kind: raw.kind,
    algorithms: raw.algorithms,
    maxBytes: raw.maxBytes,
    version: raw.version,
    probe: raw.probe,
    claims: raw.claims,
    async create(params, key) {
      const aead = raw.create(params, key)
      await delays.key?.()
      return {
        async seal(nonce, plaintext, aad) {
          const out = new Uint8Array(plaintext.length + params.tagBytes)
          aead.seal(nonce, plaintext, aad, out, 0, plaintext.length)
          await delays.seal?.()
          return out
        },
        async open(nonce, sealed, aad) {
          const out = new Uint8Array(sealed.length - params.tagBytes)
          const opened = aead.open(nonce, sealed, 0, out.length, out.length, aad, out)
          await delays.open?.()
          return opened ? out : undefined
        },
        destroy: () => aead.destroy(),
      }
    },
  })
}
