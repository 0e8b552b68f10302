import { BUNDLE_RULES } from './bundle-rules.ts'
import { docsRule } from './docs-rules.ts'
import { HYGIENE_RULES } from './hygiene-rules.ts'
import { IDLE_RULES } from './idle-rules.ts'
import { IMPORT_RULES } from './import-rules.ts'
import { MANIFEST_RULES } from './manifest-rules.ts'
import { REPORT_RULES } from './reports.ts'
import type { Rule } from './rule.ts'

/** Every rule of the repository, in the order in which they run. */
export const RULES: readonly Rule[] = [
  ...IMPORT_RULES,
  ...MANIFEST_RULES,
  ...HYGIENE_RULES,
  ...REPORT_RULES,
  docsRule(() => RULES),
  ...IDLE_RULES,
  ...BUNDLE_RULES,
]
