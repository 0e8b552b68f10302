// Runs all rules and prints one line per rule, its findings, and `checks: N passed, N failed`.
// `--write-sizes` records the present bundle sizes.
import { ROOT } from './place.ts'
import { readRepository } from './repository.ts'
import { runRules } from './rule.ts'
import { RULES } from './rules.ts'

const options = process.argv.slice(2)
const unknown = options.find((option) => option !== '--write-sizes')
if (unknown !== undefined) {
  console.error(`Unknown option ${unknown}; the only one is --write-sizes.`)
  process.exit(2)
}

const outcomes = await runRules(RULES, readRepository(ROOT), { writeSizes: options.length > 0 })
for (const { rule, problems, warnings = [] } of outcomes) {
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${rule.id}: ${rule.says}`)
  for (const problem of problems) console.log(`         ${problem}`)
  if (problems.length > 0) console.log(`       Why: ${rule.why}`)
  for (const warning of warnings) console.log(`       note: ${warning}`)
}
const failed = outcomes.filter(({ problems }) => problems.length > 0).length
console.log(`checks: ${outcomes.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
