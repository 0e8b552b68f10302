import type { AdviceFacts } from './advice.ts'
import { asGiven, type EndsHardware, endsHardware, hardwareHere, machineHere } from './facts.ts'

/** Orders that are for the hardware of both ends; the others state one machine. */
const BOTH_ENDS = /^(?:ssh-|openvpn)/

/**
 * What an order of ciphers was decided from. The class measured here holds for the `tls` of this very runtime, where
 * its library is that of its `node:crypto`; other programs have libraries of their own, and go by the CPU.
 */
export function orderHardware({ evidence, options, runtime = 'node' }: AdviceFacts): EndsHardware {
  const { context, readers } = options
  const own = context === 'tls-client' && runtime === evidence.runtime && runtime !== 'deno'
  const here = own ? hardwareHere(evidence) : machineHere(evidence)
  if (BOTH_ENDS.test(context)) return endsHardware(readers, evidence, here)
  return { ...here, why: here.why.replace('here: ', '') }
}

/** Why an order is as it is: the lists that bind, and which family leads. What is assumed of other ends is said. */
export function orderReasons(facts: AdviceFacts, order: readonly string[]): readonly string[] {
  const { cnsa, fips, gost, options } = facts
  const lists = [
    ...(fips ? [fipsReason(options.context)] : []),
    ...(cnsa ? ['CNSA binds: AES with 256-bit keys only'] : []),
    ...(gost ? ['GOST binds: only the Kuznyechik suites of RFC 9367'] : []),
    ...(options.keyBits === 256 && !cnsa ? ['keys of 256 bits are demanded: AES-128 is left out'] : []),
  ]
  return order.some((name) => /chacha/i.test(name)) ? [...lists, leadReason(facts)] : lists
}

/** Of what is on the list, AES-GCM is what every peer has; CCM is left out for a reason, Ascon has no suite. */
function fipsReason(context: string): string {
  const lead = 'FIPS 140-3 binds: of the ciphers of this protocol AES-GCM is on its list'
  if (!/^(?:tls-|quic|dtls)/.test(context)) return lead
  return `${lead}; AES-CCM is on it as well and is left out, because a peer that has it has AES-GCM too (RFC 9846 §9.1 for TLS 1.3): add TLS_AES_128_CCM_SHA256 for constrained peers that do not`
}

function leadReason(facts: AdviceFacts): string {
  const { context, readers } = facts.options
  if (context === 'tls-server') {
    return 'AES-GCM leads, and ChaCha20-Poly1305 is taken from every client that lists it first: a client without AES hardware signals it so'
  }
  const own = !BOTH_ENDS.test(context)
  if (!own && readers === 'anywhere') {
    return 'ChaCha20-Poly1305 leads: nothing is known of the other end (readers: anywhere); AES-GCM leads where both ends are known to have AES and carry-less multiply'
  }
  const { class: known, why: seen } = orderHardware(facts)
  const given = asGiven(facts.evidence)
  const why = given ? seen.replace(/(^|; )here: /g, '$1') : seen
  const machine = given ? 'the machine this is for' : 'this machine'
  const here = own || readers === 'here'
  const assumed =
    own || readers !== 'here' ? '' : '; the other end is taken to be like it unless readers says otherwise'
  const halves = here
    ? `${machine} ${given ? 'is taken to have' : 'has'} AES and carry-less multiply`
    : `${machine} and the readers ${given ? 'are taken to have' : 'have'} AES and carry-less multiply`
  if (known === 'hardware') return `AES-GCM leads: ${halves} (${why})${assumed}`
  const what =
    known === 'unknown'
      ? `it is not known that ${halves.replace('is taken to have', 'has').replace('are taken to have', 'have')}`
      : `${here ? machine : 'some end'} ${given ? 'is taken to lack' : 'lacks'} AES or carry-less multiply${/CPU flags/.test(seen) ? '' : ' that is used'}`
  return `ChaCha20-Poly1305 leads: ${what} (${why})${assumed}`
}
