import {
  type Aead,
  AeadError,
  type Bytes,
  type BytesInput,
  createAead,
  isAeadError,
  type SyncAead,
  toBytes,
} from '@aeadkit/core'

type Create = typeof createAead

/** What a wrong wrapper changes of a good Aead. */
type Change = (
  aead: SyncAead,
  key: Uint8Array,
  nonceCheck: boolean,
) => Partial<Record<keyof SyncAead, unknown>>

/** `createAead` whose Aeads are good ones with some methods replaced. */
function wrapped(change: Change): Create {
  const create = async (...[backend, id, key, options]: Parameters<Create>): Promise<Aead> => {
    const aead = (await createAead(backend, id, key, options)) as SyncAead
    const changed = change(aead, toBytes(key, 'key').slice(), options?.nonceCheck !== false)
    return new Proxy(aead, {
      get(target, name) {
        if (name in changed) return changed[name as keyof SyncAead]
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
  return create as Create
}

/** Replaces the four methods that return bytes by ones that pass each result through `after`. */
function results(after: (bytes: Bytes) => Bytes): Change {
  return (aead) => ({
    seal: async (...args: Parameters<Aead['seal']>) => after(await aead.seal(...args)),
    open: async (...args: Parameters<Aead['open']>) => after(await aead.open(...args)),
    sealSync: (...args: Parameters<Aead['seal']>) => after(aead.sealSync(...args)),
    openSync: (...args: Parameters<Aead['open']>) => after(aead.openSync(...args)),
  })
}

/** Replaces open and openSync by ones that change what failures look like. */
function failures(change: (error: unknown, key: Uint8Array) => unknown): Change {
  return (aead, key) => ({
    open: (...args: Parameters<Aead['open']>) =>
      aead.open(...args).catch((error) => Promise.reject(change(error, key))),
    openSync: (...args: Parameters<Aead['open']>) => {
      try {
        return aead.openSync(...args)
      } catch (error) {
        throw change(error, key)
      }
    },
  })
}

/** Opens with as few tag bytes as come, as GCM does on some platforms unless told the length. */
const shortTags: Change = (aead) => {
  const openSync = (nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): Bytes => {
    try {
      return aead.openSync(nonce, sealed, aad)
    } catch (error) {
      if (!isAeadError(error, 'auth-failed')) throw error
      const input = toBytes(sealed, 'sealed')
      for (let tagBytes = 4; tagBytes < 16; tagBytes++) {
        const length = input.length - tagBytes
        const stream = aead.sealSync(nonce, new Uint8Array(length), aad)
        const plaintext = Uint8Array.from({ length }, (_, i) => input[i]! ^ stream[i]!)
        const whole = aead.sealSync(nonce, plaintext, aad)
        if (input.every((byte, i) => byte === whole[i])) return plaintext
      }
      throw error
    }
  }
  return { openSync, open: async (...args: Parameters<Aead['open']>) => openSync(...args) }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

const pool: Uint8Array<ArrayBuffer> = new Uint8Array(1 << 16)

/** One wrong wrapper each, with the case that has to notice. */
export const WRONG_WRAPPERS: readonly (readonly [what: string, caseName: string, create: Create])[] = [
  ['accepts short tags', 'R01: a tag cut to 4, 8, 12 or 15 bytes is refused', wrapped(shortTags)],
  [
    'accepts short tags',
    'built-in known answers: chacha20-poly1305 refuses every change of a valid vector',
    wrapped(shortTags),
  ],
  [
    'returns views of a pool',
    'R39: results own exactly their bytes and can be transferred',
    wrapped(results((bytes) => Buffer.from(bytes) as unknown as Bytes)),
  ],
  [
    'returns the same memory each time',
    'a result does not change when the Aead is used again, wiped or destroyed',
    wrapped(
      results((bytes) => {
        pool.set(bytes)
        return pool.subarray(0, bytes.length)
      }),
    ),
  ],
  [
    'fails with a bare Error',
    'the fixed list of failing calls has the fixed codes',
    wrapped(failures(() => new Error('unable to authenticate data'))),
  ],
  [
    'gives authentication failures a cause',
    'authentication failures have one text and no cause',
    wrapped(
      failures((error) =>
        isAeadError(error, 'auth-failed') ? Object.assign(error, { cause: new Error('x') }) : error,
      ),
    ),
  ],
  [
    'says auth-failed for everything',
    'a sealed message shorter than a tag is refused with both sizes in the message',
    wrapped(failures(() => new AeadError('auth-failed', 'no'))),
  ],
  [
    'shows the key in its errors',
    'no error shows a byte of key, nonce, plaintext or AAD',
    wrapped(
      failures((error, key) => new AeadError((error as AeadError).code, `failed with key ${hexOf(key)}`)),
    ),
  ],
  [
    'shows the nonce in the details of its errors',
    'no error shows a byte of key, nonce, plaintext or AAD',
    wrapped((aead) => ({
      open: (nonce: BytesInput, sealed: BytesInput, aad?: BytesInput) =>
        aead.open(nonce, sealed, aad).catch((error: AeadError) => {
          const details = { nonce: [...toBytes(nonce, 'nonce')] }
          return Promise.reject(new AeadError(error.code, error.message, { details }))
        }),
    })),
  ],
  [
    'reads its inputs late',
    'changing the inputs right after a call does not change its result',
    wrapped((aead) => ({
      seal: async (...args: Parameters<Aead['seal']>) => {
        await undefined
        return aead.seal(...args)
      },
    })),
  ],
  [
    'throws from a promise method',
    'values that are not bytes are refused with invalid-argument in every position',
    wrapped((aead) => ({
      seal: (...args: Parameters<Aead['seal']>) => Promise.resolve(aead.sealSync(...args)),
    })),
  ],
  [
    'works after destroy',
    'every call after destroy is refused with destroyed; destroy may be called again',
    wrapped(() => ({ destroy: () => undefined, [Symbol.dispose]: () => undefined })),
  ],
  [
    'destroys its earlier results',
    'a result does not change when the Aead is used again, wiped or destroyed',
    wrapped((aead) => {
      const given: Bytes[] = []
      return {
        seal: async (...args: Parameters<Aead['seal']>) => {
          const sealed = await aead.seal(...args)
          given.push(sealed)
          return sealed
        },
        destroy: () => {
          for (const bytes of given) bytes.fill(0)
          aead.destroy()
        },
      }
    }),
  ],
  [
    'burns the nonce of a failed seal',
    'the nonce of a failed seal may be used',
    wrapped((aead, _key, nonceCheck) => {
      let last = ''
      const enter = (nonce: BytesInput): void => {
        const text = hexOf(toBytes(nonce, 'nonce'))
        if (nonceCheck && text === last) throw new AeadError('nonce-reused', 'again')
        last = text
      }
      return {
        seal: async (...args: Parameters<Aead['seal']>) => {
          enter(args[0])
          return aead.seal(...args)
        },
      }
    }),
  ],
  [
    'treats undefined AAD as text',
    'missing, undefined and empty AAD are the same',
    wrapped((aead) => ({
      sealSync: (nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput) =>
        aead.sealSync(nonce, plaintext, aad ?? new TextEncoder().encode('undefined')),
    })),
  ],
  [
    'counts a Uint16Array in elements',
    'takes a Uint16Array as key, nonce, plaintext, AAD and sealed message',
    wrapped((aead) => ({
      seal: (nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput) =>
        aead.seal(nonce, plaintext instanceof Uint16Array ? Uint8Array.from(plaintext) : plaintext, aad),
    })),
  ],
  [
    'reads the whole buffer behind a view',
    'R19: a message inside a larger buffer opens',
    wrapped((aead) => ({
      open: (nonce: BytesInput, sealed: BytesInput, aad?: BytesInput) =>
        aead.open(nonce, 'buffer' in sealed ? sealed.buffer : sealed, aad),
    })),
  ],
  [
    'allows every overlap',
    'every other overlap of out with an input is refused and changes nothing',
    wrapped((aead) => ({
      sealIntoSync: (out: Bytes, nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput) => {
        const sealed = aead.sealSync(nonce, plaintext, aad)
        out.set(sealed)
        return sealed.length
      },
    })),
  ],
  [
    'wipes out when an open fails',
    'R22: a failed open leaves out and the input unchanged, in place too',
    wrapped((aead) => ({
      openIntoSync: (out: Bytes, nonce: BytesInput, sealed: BytesInput, aad?: BytesInput) => {
        try {
          return aead.openIntoSync(out, nonce, sealed, aad)
        } catch (error) {
          out.fill(0)
          throw error
        }
      },
    })),
  ],
  [
    'writes behind its result',
    'into-forms write at offset 0, return the count and leave the rest of out untouched',
    wrapped((aead) => ({
      sealIntoSync: (out: Bytes, nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput) => {
        const written = aead.sealIntoSync(out, nonce, plaintext, aad)
        if (written < out.length) out[written] = 0
        return written
      },
    })),
  ],
  [
    'mixes up parallel calls',
    '32 calls at once on one Aead are all right',
    wrapped((aead) => {
      let current: Parameters<Aead['seal']> | undefined
      return {
        seal: async (...args: Parameters<Aead['seal']>) => {
          current = args
          await undefined
          return aead.seal(...current)
        },
      }
    }),
  ],
  [
    'returns undefined for an empty message',
    'an empty plaintext opens to a zero-length array',
    wrapped((aead) => ({
      open: async (...args: Parameters<Aead['open']>) => {
        const opened = await aead.open(...args)
        return opened.length === 0 ? undefined : opened
      },
    })),
  ],
]

/** An Aead without the nonce tripwire. */
export const noTripwire: Create = ((...[backend, id, key, options]: Parameters<Create>) =>
  createAead(backend, id, key, { ...options, nonceCheck: false })) as Create
