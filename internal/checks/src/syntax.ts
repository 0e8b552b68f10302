import ts from 'typescript'

/** One import of a module. */
export interface ImportUse {
  /** The specifier, or `undefined` for `import(expression)`. */
  readonly specifier: string | undefined
  /** `static`: import or re-export; `dynamic`: `import()`; `type`: erased when built. */
  readonly kind: 'static' | 'dynamic' | 'type'
  readonly line: number
}

/** What the rules need to know of one source file. */
export interface SourceFacts {
  readonly imports: readonly ImportUse[]
  /** Every property that is read or destructured and every plain identifier, with its line. */
  readonly names: readonly { readonly name: string; readonly line: number }[]
  /** Calls of members, such as `it.each`, with their line. */
  readonly memberCalls: readonly { readonly callee: string; readonly line: number }[]
}

/** Parses a TypeScript file; nothing is resolved and nothing is executed. */
export function readSource(file: string, text: string): SourceFacts {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS)
  const imports: ImportUse[] = []
  const names: { name: string; line: number }[] = []
  const memberCalls: { callee: string; line: number }[] = []
  const lineOf = (node: ts.Node): number =>
    source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1

  const visit = (node: ts.Node): void => {
    const line = lineOf(node)
    if (ts.isImportDeclaration(node)) {
      const kind = isTypeOnly(node.importClause) ? 'type' : 'static'
      imports.push({ specifier: textOf(node.moduleSpecifier), kind, line })
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      imports.push({
        specifier: textOf(node.moduleSpecifier),
        kind: node.isTypeOnly ? 'type' : 'static',
        line,
      })
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      imports.push({ specifier: textOf(node.argument.literal), kind: 'type', line })
    } else if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        imports.push({ specifier: textOf(node.arguments[0]), kind: 'dynamic', line })
      }
      if (ts.isPropertyAccessExpression(node.expression)) {
        memberCalls.push({ callee: node.expression.getText(source), line })
      }
    } else if (ts.isIdentifier(node)) {
      names.push({ name: node.text, line })
    } else if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
      names.push({ name: node.argumentExpression.text, line })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { imports, names, memberCalls }
}

/** With verbatimModuleSyntax only `import type` vanishes whole; `import { type X }` leaves an import behind. */
function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  return clause?.phaseModifier === ts.SyntaxKind.TypeKeyword
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined
}

/** Package of a bare specifier: `@a/b/c` is of `@a/b`. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}

/** Whether a specifier names a module of Node itself. */
export function isNodeModule(specifier: string): boolean {
  return specifier.startsWith('node:') || NODE_MODULES.has(specifier)
}

const NODE_MODULES = new Set([
  'buffer',
  'child_process',
  'crypto',
  'fs',
  'os',
  'path',
  'stream',
  'url',
  'util',
])
