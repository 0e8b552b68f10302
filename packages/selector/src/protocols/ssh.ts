import { refuse } from '../checks.ts'
import { baseOf, type ProtocolAdvice } from './advice.ts'
import { type AdviceOptions, resolveAdvice } from './options.ts'
import { sshText } from './texts.ts'

/** What {@link sshClientConfig} takes. */
export interface SshAdviceOptions extends AdviceOptions {
  /** Pattern of the `Host` line, several with spaces between. Default: `*`. */
  readonly host?: string | undefined
}

/** Ready lines for OpenSSH. */
export interface SshAdvice extends ProtocolAdvice {
  readonly program: 'ssh_config' | 'sshd_config'
  /** Pattern of the `Host` line; `null` for a server. */
  readonly host: string | null
  readonly ciphers: readonly string[]
}

const CONTEXTS = { server: 'ssh-server', client: 'ssh-client' } as const
/** What a Host line may hold: patterns with wildcards and negation, no quotes, comments or line ends. */
const PATTERN = /^[\w.*?!:@%/-]+( [\w.*?!:@%/-]+)*$/

/**
 * The `Ciphers` of an OpenSSH client, whose order decides. With `role: 'server'` the line for sshd_config, where it
 * says only what is allowed.
 * @throws AeadError `invalid-argument`; `no-candidate`: GOST, which has no cipher of SSH.
 * @see RFC 4253 §7.1; ssh_config(5)
 */
export function sshClientConfig(given: SshAdviceOptions = {}): SshAdvice {
  const resolved = resolveAdvice('sshClientConfig', given, CONTEXTS, 'client', ['host'])
  const { host = '*' }: { readonly host?: unknown } = resolved.options
  if (typeof host !== 'string' || !PATTERN.test(host)) refuse('host', 'patterns of a Host line', host)
  const { role } = resolved
  const base = baseOf(resolved)
  return {
    ...base,
    program: role === 'server' ? 'sshd_config' : 'ssh_config',
    host: role === 'server' ? null : host,
    ciphers: base.order,
    text: sshText(role, base.order, host),
    notes: [
      ...base.notes,
      'these are all AEADs OpenSSH has: a peer with CTR only is refused; Ciphers ^NAMES puts names in front of the default list instead',
    ],
  }
}
