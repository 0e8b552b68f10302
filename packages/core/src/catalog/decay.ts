/**
 * Facts of the world that the rules and texts rest on and that age: the day each was checked, what makes it stale and
 * where to look again. The one table of them; facts about a single algorithm stand in its description.
 */
import { ALGORITHMS, type AlgorithmId, type BoundId } from '../algorithms.ts'
import { ARTICLE_CHECKED, CHECKED, FIPS_STALE, LIMITS_STALE, RUNTIME_STALE, SPEED_STALE } from './facts.ts'

/** One fact that ages. */
export interface AgingFact {
  /** Stable name; facts of a description are `algorithm.field`. */
  readonly id: string
  readonly text: string
  /** Day it was last checked, `YYYY-MM-DD`. */
  readonly asOf: string
  /** Events that make it stale, whatever its age. */
  readonly staleWhen: readonly string[]
  /** Where to look again. */
  readonly recheck: string
  /** Ids of the rules that rest on it; `all`: every selection does. */
  readonly rules: readonly string[] | 'all'
  /** Algorithms whose use rests on it. */
  readonly algorithms: readonly AlgorithmId[]
}

/** Days after which a fact is old, whatever happened. */
export const STALE_AFTER_DAYS = 365

const DAY_MS = 86_400_000

/**
 * Age of a fact in whole days; negative when the clock is behind.
 * @param asOf - `YYYY-MM-DD`.
 * @param today - the clock.
 */
export function ageDays(asOf: string, today: Date): number {
  return Math.floor((today.getTime() - Date.parse(`${asOf}T00:00:00Z`)) / DAY_MS)
}

/** Whether a fact is older than a year. */
export function isOld(asOf: string, today: Date): boolean {
  return ageDays(asOf, today) > STALE_AFTER_DAYS
}

function withBound(...bounds: readonly BoundId[]): readonly AlgorithmId[] {
  return Object.values(ALGORITHMS).flatMap(({ bound, id }) => (bounds.includes(bound) ? [id] : []))
}

/** The facts behind the rules. */
export function ruleFacts(): readonly AgingFact[] {
  return [
    {
      id: 'speed-ratios',
      text: 'With AES and carry-less multiply AES-128-GCM is 2 to 2.4 times as fast as ChaCha20-Poly1305 for large messages; without them ChaCha20-Poly1305 is about 8 times as fast (Cascade Lake, OpenSSL 3.0.13). Each new vector extension so far favoured AES-GCM.',
      asOf: ARTICLE_CHECKED,
      staleWhen: [SPEED_STALE],
      recheck: 'npx aeadkit doctor --measure always',
      rules: ['V18', 'V19', 'V21', 'V22'],
      algorithms: [],
    },
    {
      id: 'aegis-status',
      text: 'AEGIS is RFC 10032, Informational, September 2026.',
      asOf: CHECKED,
      staleWhen: ['the RFC index shows a new document or erratum for RFC 10032'],
      recheck: 'RFC index',
      rules: [],
      algorithms: withBound('aegis'),
    },
    {
      id: 'xchacha20-draft',
      text: 'XChaCha20-Poly1305 is specified by a draft that expired in 2020 (draft-irtf-cfrg-xchacha-03).',
      asOf: ARTICLE_CHECKED,
      staleWhen: ['the draft is revived, or a new document replaces it'],
      recheck: 'IETF datatracker, draft-irtf-cfrg-xchacha',
      rules: [],
      algorithms: ['xchacha20-poly1305'],
    },
    {
      id: 'chacha20-not-approved',
      text: 'ChaCha20-Poly1305 is not on the CMVP list of approved security functions.',
      asOf: ARTICLE_CHECKED,
      staleWhen: ['a NIST standard for it appears', FIPS_STALE],
      recheck: 'CMVP page, §6.2.2 and §6.2.6',
      rules: ['V1', 'V2', 'V2a', 'V2b', 'V5'],
      algorithms: [],
    },
    {
      id: 'ascon-approved',
      text: 'Ascon-AEAD128 (SP 800-232) was put on the CMVP list on 2 September 2025.',
      asOf: ARTICLE_CHECKED,
      staleWhen: [FIPS_STALE],
      recheck: 'CMVP page, §6.2.2 and §6.2.6',
      rules: ['V11'],
      algorithms: ['ascon-aead128'],
    },
    {
      id: 'sp-800-38d',
      text: 'SP 800-38D is of 2007; a second pre-draft call of June 2026 opens its revision.',
      asOf: CHECKED,
      staleWhen: ['SP 800-38D Rev. 1 is published: short tags go, nonce rules may change'],
      recheck: 'NIST CSRC, SP 800-38D',
      rules: ['V2', 'V2a', 'V2b', 'V4'],
      algorithms: withBound('gcm', 'xaes'),
    },
    {
      id: 'aead-limits',
      text: 'Limits follow draft-irtf-cfrg-aead-limits-11 (December 2025).',
      asOf: CHECKED,
      staleWhen: [LIMITS_STALE],
      recheck: 'IETF datatracker, draft-irtf-cfrg-aead-limits',
      rules: ['V20'],
      algorithms: withBound('gcm', 'ccm', 'poly1305', 'xaes'),
    },
    {
      id: 'protocol-orders',
      text: 'Cipher orders of BoringSSL, OpenSSL, Go, OpenSSH and OpenVPN, as read in their sources and manuals.',
      asOf: CHECKED,
      staleWhen: ['any of them is released anew'],
      recheck: 'their sources and manual pages',
      rules: ['V5', 'V6', 'V7', 'V8'],
      algorithms: [],
    },
    {
      id: 'tls-13',
      text: 'TLS 1.3 is RFC 9846, July 2026; TLS_AES_128_GCM_SHA256 must be implemented.',
      asOf: CHECKED,
      staleWhen: ['the RFC index shows a document that updates or replaces RFC 9846'],
      recheck: 'RFC index',
      rules: ['V6'],
      algorithms: [],
    },
    {
      id: 'hypervisor-models',
      text: 'CPU models of QEMU and Proxmox VE such as x86-64-v2-AES (the default there since PVE 8), -v3 and -v4 add aes to qemu64 and leave pclmulqdq out.',
      asOf: CHECKED,
      staleWhen: ['QEMU or Proxmox VE changes its table of CPU models'],
      recheck: 'the CPU model table of Proxmox VE; QEMU documentation, CPU models',
      rules: ['V22'],
      algorithms: [],
    },
    {
      id: 'vaes-path',
      text: 'Since OpenSSL 3.1 AES-GCM runs on VAES with AVX-512 where the CPU has both, before AES-NI is asked for, so a mask of AES-NI alone leaves it on.',
      asOf: CHECKED,
      staleWhen: ['a release of OpenSSL chooses the code of AES-GCM otherwise'],
      recheck: 'the source of OpenSSL, ossl_prov_aes_hw_gcm',
      rules: [],
      algorithms: [],
    },
    {
      id: 'node-call-cost',
      text: 'A call of node:crypto takes 6 to 12 µs whatever the cipher; Node 24.21.0 is slow, 24.22.3 is not.',
      asOf: CHECKED,
      staleWhen: ['a release of Node changes its crypto'],
      recheck: 'npx aeadkit doctor --measure always',
      rules: [],
      algorithms: [],
    },
    {
      id: 'ssh-terrapin',
      text: 'CVE-2023-48795 (Terrapin) concerns chacha20-poly1305@openssh.com where strict key exchange is missing on either side.',
      asOf: CHECKED,
      staleWhen: ['another finding about the ciphers of SSH is published'],
      recheck: 'OpenSSH release notes',
      rules: ['V7'],
      algorithms: [],
    },
    {
      id: 'openvpn-dco',
      text: 'Kernel offload of OpenVPN (DCO) supports AES-GCM and ChaCha20-Poly1305 only.',
      asOf: CHECKED,
      staleWhen: ['a release of OpenVPN or its kernel module adds or drops a cipher'],
      recheck: 'OpenVPN manual, --data-ciphers',
      rules: ['V8'],
      algorithms: [],
    },
    {
      id: 'phones-without-aes',
      text: 'How many phones lack AES instructions is unknown, and no rule assumes a number.',
      asOf: ARTICLE_CHECKED,
      staleWhen: ['data is published'],
      recheck: 'no source is known',
      rules: ['V17'],
      algorithms: [],
    },
    {
      id: 'ciphers-in-traffic',
      text: 'The share of each cipher in traffic is unknown; the last public figure is of 2017. No rule uses it.',
      asOf: ARTICLE_CHECKED,
      staleWhen: ['data is published'],
      recheck: 'no source is known',
      rules: [],
      algorithms: [],
    },
    {
      id: 'runtime-support',
      text: 'Which runtime and library offers which algorithm; every selection tests it anew.',
      asOf: CHECKED,
      staleWhen: [RUNTIME_STALE],
      recheck: 'npx aeadkit doctor',
      rules: 'all',
      algorithms: [],
    },
  ]
}

/** Whether a selection by these rules of this algorithm rests on the fact. */
export function restsOn(fact: AgingFact, rules: readonly string[], algorithm: AlgorithmId | null): boolean {
  if (fact.rules === 'all' || fact.rules.some((id) => rules.includes(id))) return true
  return algorithm !== null && fact.algorithms.includes(algorithm)
}
