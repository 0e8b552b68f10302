import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshDocuments, type GeneratedPart, generatedParts, place } from '../src/docs.ts'
import { nearPower } from '../src/docs-algorithms.ts'
import { type Repository, readRepository } from '../src/repository.ts'
import { type Outcome, type Rule, runRules } from '../src/rule.ts'
import { RULES } from '../src/rules.ts'
import { BUNDLE_VIOLATIONS } from './bundle.cases.ts'
import { type Files, withTree } from './fixture.ts'
import { HYGIENE_VIOLATIONS } from './hygiene.cases.ts'
import { IMPORT_VIOLATIONS } from './import.cases.ts'
import { MANIFEST_VIOLATIONS } from './manifest.cases.ts'
import type { Violations } from './violation.ts'

const VIOLATIONS: Violations = {
  ...IMPORT_VIOLATIONS,
  ...MANIFEST_VIOLATIONS,
  ...HYGIENE_VIOLATIONS,
  ...BUNDLE_VIOLATIONS,
}

/** Documents with empty generated parts, and then the fresh ones. */
function documents(repository: Repository): Files {
  const parts = generatedParts(repository, RULES)
  const texts: Record<string, string> = {}
  for (const { file, part, text } of parts) texts[file] = `${texts[file] ?? ''}${markers(part, text)}`
  return texts
}

const markers = (part: string, text: string): string =>
  `<!-- generated: ${part}; npm run docs writes it -->\n\n${text}\n\n<!-- end of ${part} -->\n`

async function outcome(rule: Rule, files: Files): Promise<Outcome> {
  const docs = rule.id === 'docs-fresh' ? await withTree({}, async (repository) => documents(repository)) : {}
  return withTree({ ...docs, ...files }, async (repository) => {
    if (rule.id === 'bundle-size' && files['internal/checks/sizes.json'] === undefined) {
      await runRules([rule], repository, { writeSizes: true })
    }
    const [result] = await runRules([rule], repository)
    return result as Outcome
  })
}

describe('every rule', () => {
  it('has a unique name and at least one tree that breaks it', () => {
    const ids = RULES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(Object.keys(VIOLATIONS).sort()).toEqual([...ids].sort())
    for (const id of ids) expect(VIOLATIONS[id]?.length, id).toBeGreaterThan(0)
  })

  for (const rule of RULES) {
    describe(rule.id, () => {
      it('finds nothing in a sound tree', async () => {
        expect((await outcome(rule, {})).problems).toEqual([])
      })
      for (const { title, files, says } of VIOLATIONS[rule.id] ?? []) {
        it(`fails: ${title}`, async () => {
          const { problems } = await outcome(rule, files)
          expect(problems.join('\n')).toContain(says)
          expect(problems.join('\n')).not.toContain('could not run')
        })
      }
    })
  }
})

describe('runRules', () => {
  it('counts a rule that throws as failed', async () => {
    const rule: Rule = {
      id: 'x',
      says: '',
      why: '',
      check: () => {
        throw new Error('broken')
      },
    }
    const [result] = await withTree({}, (repository) => runRules([rule], repository))
    expect(result?.problems).toEqual(['could not run: broken'])
  })
})

describe('file-length', () => {
  it('warns above 300 lines without failing', async () => {
    const rule = RULES.find(({ id }) => id === 'file-length') as Rule
    const { problems, warnings } = await outcome(rule, {
      'internal/tool/src/index.ts': 'export {}\n'.repeat(301),
    })
    expect(problems).toEqual([])
    expect(warnings).toEqual(['internal/tool/src/index.ts: 301 lines, aim for 300'])
  })
})

describe('bundle-size', () => {
  it('records sizes and then accepts growth of 3 % but not more', async () => {
    const rule = RULES.find(({ id }) => id === 'bundle-size') as Rule
    await withTree({ 'internal/checks/sizes.json': '{}' }, async (repository) => {
      const file = join(repository.root, 'internal/checks/sizes.json')
      const problems = async (): Promise<readonly string[]> =>
        (await runRules([rule], readRepository(repository.root)))[0]?.problems ?? []
      await runRules([rule], repository, { writeSizes: true })
      const sizes = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>
      expect(Object.keys(sizes)).toEqual([
        '@aeadkit/backend-noble',
        '@aeadkit/backend-node',
        'createAead + node',
      ])
      expect(await problems()).toEqual([])
      const scaled = (factor: number): string =>
        JSON.stringify(
          Object.fromEntries(Object.entries(sizes).map(([name, bytes]) => [name, bytes / factor])),
        )
      writeFileSync(file, scaled(1.029))
      expect(await problems()).toEqual([])
      writeFileSync(file, scaled(1.031))
      expect(await problems()).toHaveLength(3)
    })
  })
})

describe('documents', () => {
  it('keeps what stands around a generated part', () => {
    const start = 'before\n<!-- generated: a; npm run docs writes it -->\nold\n<!-- end of a -->\nafter\n'
    const wanted = place(start, 'a', 'new')
    expect(wanted).toBe(`before\n${markers('a', 'new')}after\n`)
    expect(place(wanted, 'a', 'new')).toBe(wanted)
  })

  it('says which part is stale and what the document should be', async () => {
    await withTree({ 'x.md': markers('a', 'old') }, async (repository) => {
      const parts: GeneratedPart[] = [{ file: 'x.md', part: 'a', text: 'new' }]
      const [document] = freshDocuments(repository, parts)
      expect(document?.problems).toEqual(['x.md: "a" is stale; npm run docs writes it'])
      expect(document?.wanted).toBe(markers('a', 'new'))
    })
  })

  it.each([
    [68_719_476_704n, '2^36 - 32'],
    [68_719_476_736n, '2^36'],
    [16_777_215n, '2^24 - 1'],
    [274_877_906_880n, '2^38 - 64'],
    [1_000n, '1 000'],
    [16_773_120n, '16 773 120'],
    [1_048_576n, '2^20'],
    [(1n << 132n) - (1n << 100n), 'about 2^131.99'],
    [3n << 100n, 'about 2^101.58'],
  ])('writes %s as %s', (value, text) => {
    expect(nearPower(value)).toBe(text)
  })
})
