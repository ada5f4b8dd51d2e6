import ts from 'typescript';

/** One place where a file names a module: how and where it is written does not matter, nor whether it is only for types. */
export interface ImportSite {
  /** `undefined` where the name is computed, so that no check can tell what is imported. */
  readonly specifier: string | undefined;
  /** Counted from 1. */
  readonly line: number;
}

/** All modules that a source text names: by `import`, `export from`, `import()`, `require`, `import =` and in types. */
export function importsOf(fileName: string, text: string): ImportSite[] {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const sites: ImportSite[] = [];
  const visit = (node: ts.Node): void => {
    const name = moduleNameOf(node);
    if (name !== undefined) {
      const specifier = name !== 'nothing' && ts.isStringLiteralLike(name) ? name.text : undefined;
      sites.push({ specifier, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sites;
}

/** The node that holds the module's name if `node` imports one, `'nothing'` if it imports without saying what. */
function moduleNameOf(node: ts.Node): ts.Node | 'nothing' | undefined {
  if (ts.isImportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument;
  if (ts.isCallExpression(node) && isImportingFunction(node.expression)) return node.arguments[0] ?? 'nothing';
  return undefined;
}

function isImportingFunction(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(callee)) return callee.text === 'require';
  return ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression) && callee.expression.text === 'require';
}
