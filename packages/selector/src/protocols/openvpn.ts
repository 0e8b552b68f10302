import { baseOf, type ProtocolAdvice } from './advice.ts'
import { type AdviceOptions, resolveAdvice } from './options.ts'
import { openvpnText } from './texts.ts'

/** Ready line for OpenVPN. */
export interface OpenvpnAdvice extends ProtocolAdvice {
  readonly program: 'openvpn'
  readonly ciphers: readonly string[]
}

const CONTEXTS = { server: 'openvpn', client: 'openvpn' } as const

/**
 * `data-ciphers` of OpenVPN 2.6 and later. The server takes the first entry of its own list that the client offers, so
 * the order matters there; a client's list says what it accepts.
 * @throws AeadError `invalid-argument`; `no-candidate`: GOST, which has no cipher of OpenVPN.
 * @see OpenVPN 2.6 manual, --data-ciphers
 */
export function openvpnSettings(options: AdviceOptions = {}): OpenvpnAdvice {
  const resolved = resolveAdvice('openvpnSettings', options, CONTEXTS, 'server')
  const { role } = resolved
  const base = baseOf(resolved)
  return {
    ...base,
    program: 'openvpn',
    ciphers: base.order,
    text: openvpnText(base.order),
    notes: [
      ...(role === 'client' ? ["the server's list decides: on a client the order changes nothing"] : []),
      ...base.notes,
    ],
  }
}
