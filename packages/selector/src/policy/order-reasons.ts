import type { HardwareClass } from '@aeadkit/core'
import type { AdviceFacts } from './advice.ts'

/** What an order of ciphers was decided from. */
export interface OrderHardware {
  readonly class: HardwareClass | 'partial'
  readonly why: string
}

/** Orders that are for the hardware of both ends; the others state one machine. */
const BOTH_ENDS = /^(?:ssh-|openvpn)/

/** A TLS order states one machine; SSH and OpenVPN are about both ends. */
export function orderHardware({ ends, evidence, options }: AdviceFacts): OrderHardware {
  if (BOTH_ENDS.test(options.context)) return { class: ends.class, why: ends.why }
  const decided = evidence.items.find(({ name }) => name === 'hardware.class')?.source
  const flags = `AES ${evidence.aes}, carry-less multiply ${evidence.clmul} (${evidence.source})`
  return { class: evidence.hardwareClass, why: decided ?? flags }
}

/** Why an order is as it is: the lists that bind, and which family leads. What is assumed of other ends is said. */
export function orderReasons(facts: AdviceFacts, order: readonly string[]): readonly string[] {
  const { cnsa, fips, gost, options } = facts
  const lists = [
    ...(fips ? ['FIPS 140-3 binds: only AES-GCM is on its list'] : []),
    ...(cnsa ? ['CNSA binds: AES with 256-bit keys only'] : []),
    ...(gost ? ['GOST binds: only the Kuznyechik suites of RFC 9367'] : []),
    ...(options.keyBits === 256 && !cnsa ? ['keys of 256 bits are demanded: AES-128 is left out'] : []),
  ]
  return order.some((name) => /chacha/i.test(name)) ? [...lists, leadReason(facts)] : lists
}

function leadReason(facts: AdviceFacts): string {
  const { context, readers } = facts.options
  if (context === 'tls-server') {
    return 'AES-GCM leads, and ChaCha20-Poly1305 is taken from every client that lists it first: such a client has no AES hardware'
  }
  const own = !BOTH_ENDS.test(context)
  if (!own && readers === 'anywhere') {
    return 'ChaCha20-Poly1305 leads: nothing is known of the other end (readers: anywhere); AES-GCM leads where both ends are known to have AES and carry-less multiply'
  }
  const { class: known, why } = orderHardware(facts)
  const here = own || readers === 'here'
  const assumed =
    own || readers !== 'here' ? '' : '; the other end is taken to be like it unless readers says otherwise'
  const halves = here
    ? 'this machine has AES and carry-less multiply'
    : 'this machine and the readers have AES and carry-less multiply'
  if (known === 'hardware') return `AES-GCM leads: ${halves} (${why})${assumed}`
  const what =
    known === 'unknown'
      ? `it is not known that ${halves}`
      : `${here ? 'this machine lacks' : 'some end lacks'} AES or carry-less multiply that is used`
  return `ChaCha20-Poly1305 leads: ${what} (${why})${assumed}`
}
