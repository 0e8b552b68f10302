/** What each rule says and where that is written: for `explain` and the documents, not for a selection. */
import { PROTOCOL_TITLES } from './protocol.ts'
import type { Rule, RuleId } from './rule.ts'
import { RULE_ROWS } from './rules.ts'

/** Filters that ask backends (admission.ts); they have no row. */
type WithoutRow = 'constant-time' | 'fips-module' | 'sync'

interface Texts {
  /** Absent where the title is the reason of the answer as well (protocol.ts). */
  readonly title?: string
  readonly source: string
}

/** By rule. */
export const RULE_TEXTS: Readonly<Record<Exclude<RuleId, WithoutRow>, Texts>> = {
  V1: {
    title: 'FIPS 140-3 and GOST together: two profiles, no single algorithm',
    source: 'the two lists are disjoint: CMVP list of approved functions; GOST R 34.12-2015 with RFC 9058',
  },
  V2: {
    title: 'FIPS 140-3: AES-GCM; CCM and Ascon only for constrained devices; nothing that is not on the list',
    source: 'SP 800-140C Rev. 2 and the CMVP list of 13 September 2026; SP 800-38D; SP 800-38C; SP 800-232',
  },
  V2a: {
    title:
      'FIPS 140-3 with random nonces: at most 2^32 messages per key, so split keys or accept a composition',
    source: 'SP 800-38D §8 and §8.3; C2SP XAES-256-GCM for the composition',
  },
  V2b: {
    title: 'FIPS 140-3 with many writers or snapshots: AES-GCM by the deterministic construction',
    source: 'SP 800-38D §8.2.1; no misuse-resistant mode has a NIST standard',
  },
  V3: {
    title: 'GOST: Kuznyechik-MGM; Magma-MGM only on tiny constrained links',
    source: 'RFC 9058; R 1323565.1.026-2019; birthday estimate for 64-bit blocks',
  },
  V4: {
    title: 'CNSA: AES-256-GCM',
    source: 'CNSA 2.0: AES with 256-bit keys',
  },
  V5: {
    source: 'WireGuard protocol: one construction, no negotiation',
  },
  V6: {
    source:
      'RFC 9846 §9.1; OpenSSL SSL_OP_PRIORITIZE_CHACHA; BoringSSL and Go source, reread 30 November 2026',
  },
  V7: {
    source: 'RFC 4253 §7.1',
  },
  V8: {
    source: 'OpenVPN 2.6 manual, --data-ciphers',
  },
  V9: {
    source: 'IEEE 1619; Crowley and Biggers 2018 (ToSC)',
  },
  V11: {
    title:
      'constrained device: AES-CCM with an AES engine, Ascon-AEAD128 or ChaCha20-Poly1305 without; Ascon only there',
    source: 'SP 800-232; SP 800-38C',
  },
  V10: {
    title: 'WebAssembly or plain JavaScript computes: ChaCha20-Poly1305; AES only through native libraries',
    source: 'everything the CPU does not execute directly',
  },
  V12: {
    title: 'many writers or snapshots, whole messages, known AES hardware: AES-256-GCM-SIV',
    source: 'RFC 8452 §1 and §9; RFC 5297 §1.3.2',
  },
  V13: {
    title: 'many writers without a misuse-resistant mode: 192 random bits; a cloned generator is refused',
    source: 'draft-irtf-cfrg-xchacha-03 §2.1; C2SP XAES-256-GCM; SP 800-38D §8 on restored state',
  },
  V14: {
    title: 'random nonces within what 96 bits allow: 12 bytes acceptable, 24 preferred for frozen formats',
    source: 'birthday bound q^2 / 2^97; SP 800-38D §8',
  },
  V15: {
    title: 'random nonces past what 96 bits allow: XChaCha20-Poly1305, or XAES-256-GCM on known AES hardware',
    source: 'birthday bound; draft-irtf-cfrg-xchacha-03 §2.1; C2SP XAES-256-GCM; RFC 10032',
  },
  V16: {
    title: 'counters kept in durable state: allowed, reserve ahead and never reuse after a crash',
    source: 'SP 800-38D §8.2.1 and §9.1 on loss of power',
  },
  V20: {
    title:
      'as V18, but the volume passes the AES-GCM limit and the key cannot be replaced: ChaCha20-Poly1305',
    source: 'draft-irtf-cfrg-aead-limits-11 §5.1 and §5.2',
  },
  V21: {
    title: 'as V18, but small messages or latency matter and ChaCha20 measures 1.3 times faster at that size',
    source:
      'measured in this process at the size asked, or those of the profile; speeds of large buffers say nothing of small ones',
  },
  V18: {
    title: 'every end known to have AES and carry-less multiply: AES-128-GCM',
    source: 'both halves of AES-GCM hang on instructions; 256-bit keys only under an outside demand',
  },
  V22: {
    title:
      'AES without carry-less multiply at some end: ChaCha20-Poly1305, and look at the virtual CPU model',
    source: 'QEMU and Proxmox models x86-64-v2-AES to v4 add aes to qemu64 and leave pclmulqdq out',
  },
  V19: {
    title: 'every end known, any half missing: ChaCha20-Poly1305',
    source: 'the point is table GHASH, not only speed',
  },
  V17: {
    title: 'frozen lifetime, or hardware of any reader unknown: ChaCha20-Poly1305',
    source: 'RFC 8439 §4; draft-irtf-cfrg-aead-limits-11',
  },
  'aegis-opt-in': {
    title: 'AEGIS only when opted in, with AES hardware known at every end and a negotiated lifetime',
    source: 'RFC 10032, Informational; block 6 of the verdict tables',
  },
  'key-bits': {
    title: 'key strength of at least what is demanded',
    source: 'option keyBits',
  },
  'whole-message': {
    title: 'modes that need the whole message only where it fits in memory',
    source: 'RFC 8452 §4; RFC 5297 §2.6; SP 800-38C §6.1',
  },
  'message-size': {
    title: 'messages no longer than the algorithm takes',
    source: 'sizes of the algorithm table',
  },
  limits: {
    title: 'volume within every bound at the target',
    source: 'draft-irtf-cfrg-aead-limits-11; published counts of each document',
  },
  availability: {
    title: 'nothing that the rules name first passes every filter here: the next that does',
    source: 'the backends given by the caller are the limit',
  },
}

const textsOf = (id: RuleId): Required<Texts> => ({
  title: PROTOCOL_TITLES[id as keyof typeof PROTOCOL_TITLES],
  ...RULE_TEXTS[id as keyof typeof RULE_TEXTS],
})

/** The one rule table, with its texts. */
export const RULES: readonly Rule[] = /* @__PURE__ */ RULE_ROWS.map((row) => ({ ...row, ...textsOf(row.id) }))
