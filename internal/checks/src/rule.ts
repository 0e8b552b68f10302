import type { Repository } from './repository.ts'

/** What a rule found. */
export interface Findings {
  /** Violations, each one line that starts with the place. Any makes the rule fail. */
  readonly problems: readonly string[]
  /** Worth a look; never makes the rule fail. */
  readonly warnings?: readonly string[]
}

/** How the rules are run. */
export interface RunOptions {
  /** Record the present bundle sizes instead of comparing with them. */
  readonly writeSizes?: boolean
}

/** One rule of the repository. */
export interface Rule {
  /** Short name, unique. */
  readonly id: string
  /** The rule as a sentence. */
  readonly says: string
  /** Why it exists. */
  readonly why: string
  /** Looks for violations. */
  check(repository: Repository, options: RunOptions): Findings | Promise<Findings>
}

/** Outcome of one rule. */
export interface Outcome extends Findings {
  readonly rule: Rule
}

/** Runs the rules in order; a rule that throws has failed with that message. */
export async function runRules(
  rules: readonly Rule[],
  repository: Repository,
  options: RunOptions = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const rule of rules) {
    try {
      outcomes.push({ rule, ...(await rule.check(repository, options)) })
    } catch (error) {
      outcomes.push({ rule, problems: [`could not run: ${error instanceof Error ? error.message : error}`] })
    }
  }
  return outcomes
}
