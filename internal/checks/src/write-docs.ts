// Writes the generated tables into the documents: `npm run docs`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshDocuments, generatedParts } from './docs.ts'
import { ROOT } from './place.ts'
import { readRepository } from './repository.ts'
import { RULES } from './rules.ts'

const repository = readRepository(ROOT)
for (const { file, present, wanted, problems } of freshDocuments(
  repository,
  generatedParts(repository, RULES),
)) {
  const lost = problems.filter((problem) => !problem.includes('is stale'))
  for (const problem of lost) console.error(problem)
  if (lost.length > 0) process.exitCode = 1
  else if (wanted !== present) {
    writeFileSync(join(ROOT, file), wanted)
    console.log(`wrote ${file}`)
  }
}
