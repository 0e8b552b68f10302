import { describe, expect, it } from 'vitest'
import { PROTOCOL_LIMITS, type ProtocolId, protocolLimitsOf } from '../src/protocol-limits.ts'

// limits.md §7: protocol, cipher, row among its rows, confidentiality, integrity.
const ROWS: readonly [ProtocolId, string, number, bigint | null, bigint | null][] = [
  ['tls-1.3', 'aes-128-gcm', 0, 23726566n, null],
  ['tls-1.3', 'aes-256-gcm', 0, 23726566n, null],
  ['tls-1.3', 'chacha20-poly1305', 0, null, null],
  ['dtls-1.3', 'aes-256-gcm', 0, 23726566n, 1n << 36n],
  ['dtls-1.3', 'chacha20-poly1305', 0, null, 1n << 36n],
  ['dtls-1.3', 'aes-128-ccm', 0, 1n << 23n, 11863283n],
  ['dtls-1.3', 'aes-128-ccm-8', 0, 1n << 23n, 1n << 7n],
  ['quic', 'aes-128-gcm', 0, 1n << 23n, 1n << 52n],
  ['quic', 'aes-128-gcm', 1, 1n << 28n, 1n << 57n],
  ['quic', 'chacha20-poly1305', 0, null, 1n << 36n],
  ['quic', 'aes-128-ccm', 0, 2965820n, 2965820n],
  ['quic', 'aes-128-ccm', 1, 94906265n, 94906265n],
  ['wireguard', 'chacha20-poly1305', 0, 1n << 60n, null],
  ['ssh', 'aes-128-gcm', 0, null, null],
  ['gost-tls-1.3', 'magma-mgm', 0, (1n << 64n) - 1n, null],
  ['gost-tls-1.3', 'kuznyechik-mgm', 1, (1n << 42n) - 1n, null],
  ['gost-tls-1.3', 'magma-mgm', 1, (1n << 39n) - 1n, null],
]

describe('protocol constants', () => {
  it.each(ROWS)('%s %s, row %i', (protocol, cipher, index, confidentiality, integrity) => {
    const row = protocolLimitsOf(protocol, cipher)[index]!
    expect(row.confidentiality.max).toBe(confidentiality)
    expect(row.integrity.max).toBe(integrity)
  })

  it('every row is tested, sourced, and its exponent matches its integer', () => {
    expect(PROTOCOL_LIMITS).toHaveLength(16)
    const tested = new Set(ROWS.map(([protocol, cipher, index]) => protocolLimitsOf(protocol, cipher)[index]))
    expect(tested.size).toBe(16)
    for (const row of PROTOCOL_LIMITS) {
      expect(row.basis).toBe('published-constant')
      expect(row.source).toMatch(/RFC|WireGuard/)
      for (const { max, log2, counts } of [row.confidentiality, row.integrity]) {
        expect(counts).not.toBe('')
        expect(max === null).toBe(log2 === null)
        if (max !== null) expect(Math.log2(Number(max))).toBeCloseTo(log2!, 5)
      }
    }
  })
})
