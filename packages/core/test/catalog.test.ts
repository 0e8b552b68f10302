import { describe, expect, it } from 'vitest'
import { ALGORITHMS, type AlgorithmId } from '../src/algorithms.ts'
import { describeAlgorithm, FACT_FIELDS } from '../src/catalog.ts'

const IDS = Object.keys(ALGORITHMS) as AlgorithmId[]
const DAY = /^\d{4}-\d{2}-\d{2}$/

// algorithms.md B: IANA number and date of the standard.
const REGISTRY: Readonly<Record<AlgorithmId, readonly [number | null, string | null]>> = {
  'aes-128-gcm': [1, '2007-11'],
  'aes-256-gcm': [2, '2007-11'],
  'aes-128-ccm': [3, '2004'],
  'aes-256-ccm': [4, '2004'],
  'aes-128-gcm-siv': [30, '2019-04'],
  'aes-256-gcm-siv': [31, '2019-04'],
  'aes-siv-cmac-256': [15, '2008-10'],
  'aes-siv-cmac-512': [17, '2008-10'],
  'chacha20-poly1305': [29, '2018-06'],
  'xchacha20-poly1305': [null, '2020-01'],
  'xaes-256-gcm': [null, null],
  'aegis-128l': [32, '2026-09'],
  'aegis-256': [33, '2026-09'],
  'aegis-128x2': [34, '2026-09'],
  'aegis-128x4': [35, '2026-09'],
  'aegis-256x2': [36, '2026-09'],
  'aegis-256x4': [37, '2026-09'],
  'ascon-aead128': [null, '2025-08-13'],
  'kuznyechik-mgm': [null, '2021-06'],
  'magma-mgm': [null, '2021-06'],
  'aes-128-ocb': [20, '2014-05'],
  'aes-256-ocb': [26, '2014-05'],
}

describe('describeAlgorithm', () => {
  it('covers 22 algorithms', () => expect(IDS).toHaveLength(22))

  it.each(IDS)('%s: every field filled in and sourced', (id) => {
    const description = describeAlgorithm(id)
    expect(description.id).toBe(id)
    expect(description.name.replace(/[-3]/g, '').toLowerCase()).toBe(id.replace(/[-3]/g, ''))
    expect([description.ianaAeadId, description.standardDate]).toEqual(REGISTRY[id])
    expect(description.asOf).toMatch(DAY)
    expect(description.staleWhen.length).toBeGreaterThan(0)
    expect(description.sources.length).toBeGreaterThan(0)
    for (const field of FACT_FIELDS) {
      const fact = description[field]
      expect(fact.text.length).toBeGreaterThan(20)
      expect(['primary', 'secondary', 'general-knowledge']).toContain(fact.certainty)
      expect(fact.asOf).toMatch(DAY)
      expect(fact.sources.length).toBeGreaterThan(0)
      for (const source of fact.sources) {
        expect(source.document.length).toBeGreaterThan(3)
        expect(source.section.length).toBeGreaterThan(1)
        expect(description.sources).toContainEqual(source)
      }
    }
  })

  it.each(IDS)('%s: words agree with the table', (id) => {
    const { fips, committing, nonceReuse, cpu } = ALGORITHMS[id]
    const description = describeAlgorithm(id)
    const start = { approved: 'Approved', composition: 'Composition', 'not-approved': 'Not approved' }[fips]
    expect(description.fips.text.startsWith(start)).toBe(true)
    expect(/not committing/i.test(description.commitment.text)).toBe(committing === false)
    if (committing !== false) expect(description.commitment.text).toContain(`2^${committing}`)
    expect(description.nonceReuse.text.includes('XOR of the two plaintexts') || id === 'xaes-256-gcm').toBe(
      nonceReuse.plaintext === 'xor' || id === 'xaes-256-gcm',
    )
    expect(/wants? the AES round/i.test(description.hardware.text)).toBe(cpu.cipher === 'aes')
  })

  it('never calls anything validated or proven', () => {
    expect(JSON.stringify(IDS.map(describeAlgorithm))).not.toMatch(
      /\b(?:validated|proven|proved|certified module)\b/i,
    )
  })

  it('careful wording', () => {
    expect(describeAlgorithm('xaes-256-gcm').fips.text).toContain('Ask your laboratory')
    expect(describeAlgorithm('aegis-128l').standard.text).toMatch(/RFC 10032, Informational.*September 2026/)
    expect(describeAlgorithm('aegis-128l').standard.text).not.toContain('draft')
    expect(describeAlgorithm('xchacha20-poly1305').standard.text).toContain('expired')
    expect(describeAlgorithm('ascon-aead128').standard.text).toContain('SP 800-232')
  })

  it.each(['aes-512-gcm', 'toString', undefined, 5])('refuses %s', (id) => {
    expect(() => describeAlgorithm(id as AlgorithmId)).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    )
  })
})
