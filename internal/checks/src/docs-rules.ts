import { freshDocuments, generatedParts } from './docs.ts'
import type { Rule } from './rule.ts'

/**
 * The rule about generated parts of documents.
 * @param rules - gives all rules, this one included: one of the documents lists them.
 */
export function docsRule(rules: () => readonly Rule[]): Rule {
  return {
    id: 'docs-fresh',
    says: 'Generated tables of the documents are what the code says.',
    why: 'A number in a document that the code no longer has is worse than none.',
    check: (repository) => ({
      problems: freshDocuments(repository, generatedParts(repository, rules())).flatMap(
        ({ problems }) => problems,
      ),
    }),
  }
}
