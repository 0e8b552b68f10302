import type { Aead, Bytes, BytesInput, SyncAead } from '@aeadkit/core'
import { ConformanceError, check } from './check.ts'

/** One way to call an Aead. Every form must behave the same; all answer by promise here. */
export interface CallForm {
  readonly name: 'promise' | 'sync' | 'into'
  seal(nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput): Promise<Bytes>
  open(nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): Promise<Bytes>
}

/** Spare bytes behind the result in the into-form, to see that they stay untouched. */
const MARGIN = 7
const FILLER = 0xcc

/** @throws ConformanceError when the Aead has no synchronous methods. */
export function asSync(aead: Aead): SyncAead {
  check(aead.sync, `${aead.backendName}: expected a synchronous Aead`)
  return aead as SyncAead
}

/** A promise method must reject, never throw. */
function settled<T>(call: () => Promise<T>): Promise<T> {
  try {
    return call()
  } catch (error) {
    const shown = error instanceof Error ? error.message : typeof error
    throw new ConformanceError(`a promise method threw instead of rejecting: ${shown}`)
  }
}

function sizeOf(value: unknown): number {
  return (value as { byteLength?: number } | null | undefined)?.byteLength ?? 0
}

function intoResult(out: Bytes, written: number): Bytes {
  const rest = out.subarray(written)
  check(
    rest.length >= MARGIN && rest.every((byte) => byte === FILLER),
    'an into-form wrote behind the bytes it counted',
  )
  return out.slice(0, written)
}

/** Every form the Aead has: the promise form always, two more when it is synchronous. */
export function formsOf(aead: Aead): readonly CallForm[] {
  const promise: CallForm = {
    name: 'promise',
    seal: (nonce, plaintext, aad) => settled(() => aead.seal(nonce, plaintext, aad)),
    open: (nonce, sealed, aad) => settled(() => aead.open(nonce, sealed, aad)),
  }
  if (!aead.sync) return [promise]
  const sync = asSync(aead)
  const { tagBytes } = aead.params
  return [
    promise,
    {
      name: 'sync',
      seal: async (nonce, plaintext, aad) => sync.sealSync(nonce, plaintext, aad),
      open: async (nonce, sealed, aad) => sync.openSync(nonce, sealed, aad),
    },
    {
      name: 'into',
      seal: async (nonce, plaintext, aad) => {
        const out = new Uint8Array(sizeOf(plaintext) + tagBytes + MARGIN).fill(FILLER)
        return intoResult(out, sync.sealIntoSync(out, nonce, plaintext, aad))
      },
      open: async (nonce, sealed, aad) => {
        const out = new Uint8Array(Math.max(0, sizeOf(sealed) - tagBytes) + MARGIN).fill(FILLER)
        return intoResult(out, sync.openIntoSync(out, nonce, sealed, aad))
      },
    },
  ]
}

/** The form that costs least, for cases with very many calls. */
export function quickForm(aead: Aead): CallForm {
  const forms = formsOf(aead)
  return forms.find((form) => form.name === 'sync') ?? forms[0]!
}
