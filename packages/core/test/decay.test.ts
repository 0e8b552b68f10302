import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ALGORITHMS } from '../src/algorithms.ts'
import {
  ageDays,
  agingFacts,
  algorithmFacts,
  FACT_FIELDS,
  isOld,
  restsOn,
  ruleFacts,
  STALE_AFTER_DAYS,
} from '../src/catalog.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const day = (text: string): Date => new Date(`${text}T12:00:00Z`)

describe('the facts behind the rules', () => {
  it('are complete, with names of their own', () => {
    const facts = ruleFacts()
    expect(facts).toHaveLength(17)
    expect(new Set(facts.map(({ id }) => id)).size).toBe(17)
    for (const { asOf, recheck, rules, staleWhen, text } of facts) {
      expect(asOf).toMatch(DAY)
      expect(text).toMatch(/\.$/)
      expect(staleWhen.length).toBeGreaterThan(0)
      expect(recheck.length).toBeGreaterThan(5)
      if (rules !== 'all') for (const id of rules) expect(id).toMatch(/^V\d+[ab]?$/)
    }
  })

  const dossier = fileURLToPath(new URL('../../../../shared/facts/verdicts.md', import.meta.url))
  const missing = !existsSync(dossier)
  if (missing) console.log('1 test skipped: no dossier at ../shared/facts')
  it.skipIf(missing)('are those of the dossier, row by row, and never younger than it says', () => {
    const section = /## 5\. Dates and decay[\s\S]*?(?=\n## )/.exec(readFileSync(dossier, 'utf8'))![0]
    const rows = section.split('\n').filter((line) => /^\| (?!fact|---)/.test(line) && !/^\|-/.test(line))
    const words: readonly (readonly [string, RegExp])[] = [
      ['speed-ratios', /speed ratios/],
      ['aegis-status', /AEGIS status/],
      ['xchacha20-draft', /XChaCha20 expired draft/],
      ['chacha20-not-approved', /ChaCha20 not on the CMVP list/],
      ['ascon-approved', /Ascon on the list/],
      ['sp-800-38d', /SP 800-38D rules/],
      ['aead-limits', /AEAD limits formulas/],
      ['protocol-orders', /OpenSSH, BoringSSL, OpenSSL, Go orders/],
      ['tls-13', /TLS 1\.3 = RFC 9846/],
      ['phones-without-aes', /phones without AES/],
      ['ciphers-in-traffic', /share of ciphers in traffic/],
      ['runtime-support', /runtime support/],
    ]
    expect(rows).toHaveLength(words.length)
    const listed = ruleFacts().filter(({ id }) => words.some(([known]) => known === id))
    for (const [at, [id, word]] of words.entries()) {
      expect(rows[at]).toMatch(word)
      const fact = listed[at]!
      expect(fact.id).toBe(id)
      const said = rows[at]!.split('|')[2]!.trim()
      if (said.includes('30 Nov 2026')) expect(fact.asOf, id).toBe('2026-11-30')
      else if (said.startsWith('13 Sept 2026')) expect(fact.asOf, id).toBe('2026-09-13')
    }
  })

  it('are used by the rules and algorithms they name', () => {
    const used = (rules: readonly string[], algorithm: keyof typeof ALGORITHMS | null): readonly string[] =>
      ruleFacts().flatMap((fact) => (restsOn(fact, rules, algorithm) ? [fact.id] : []))
    expect(used(['V17', 'V14'], 'xchacha20-poly1305')).toEqual([
      'xchacha20-draft',
      'aead-limits',
      'phones-without-aes',
      'runtime-support',
    ])
    expect(used(['V18'], 'aes-128-gcm')).toEqual([
      'speed-ratios',
      'sp-800-38d',
      'aead-limits',
      'runtime-support',
    ])
    expect(used(['V22'], 'chacha20-poly1305')).toContain('hypervisor-models')
    expect(used(['V7'], null)).toContain('ssh-terrapin')
    expect(used(['V8'], null)).toContain('openvpn-dco')
    expect(used(['V6'], null)).toEqual(['protocol-orders', 'tls-13', 'runtime-support'])
  })
})

describe('ages', () => {
  it.each([
    ['2026-11-30', '2026-11-30', 0],
    ['2026-11-30', '2027-11-30', 365],
    ['2026-09-13', '2026-11-30', 78],
    ['2026-11-30', '2026-11-29', -1],
  ])('of %s on %s is %d days', (asOf, today, days) => expect(ageDays(asOf, day(today))).toBe(days))

  it('a year old is not older than a year', () => {
    expect(STALE_AFTER_DAYS).toBe(365)
    expect(isOld('2026-11-30', day('2027-11-30'))).toBe(false)
    expect(isOld('2026-11-30', day('2027-12-01'))).toBe(true)
  })
})

describe('every fact that ages', () => {
  it('is listed once, oldest first', () => {
    const facts = agingFacts()
    expect(facts).toHaveLength(17 + Object.keys(ALGORITHMS).length * FACT_FIELDS.length)
    expect(new Set(facts.map(({ id }) => id)).size).toBe(facts.length)
    const days = facts.map(({ asOf }) => asOf)
    expect(days).toEqual([...days].sort())
  })

  it('of an algorithm says where to look again', () => {
    const facts = algorithmFacts('aes-128-gcm')
    expect(facts.map(({ id }) => id)).toEqual(FACT_FIELDS.map((field) => `aes-128-gcm.${field}`))
    expect(facts.find(({ id }) => id.endsWith('.fips'))).toMatchObject({
      asOf: '2026-09-13',
      recheck: expect.stringContaining('CMVP'),
      algorithms: ['aes-128-gcm'],
    })
    expect(() => algorithmFacts('rc4' as never)).toThrow(/unknown algorithm/)
  })
})
