/**
 * Parses a module made of TypeScript. `export { Name }` of what is only a type stays behind where the types
 * are gone, and what sees one file alone cannot tell an imported type from a value: so compilers leave out what
 * nothing declares.
 */
import { type Node, type Options, Parser, type Program, tokTypes } from 'acorn'

/** Of acorn, without types. */
interface Declared {
  readonly type: typeof tokTypes.eof
  /** Names that are exported and, so far, not declared. */
  readonly undefinedExports: Readonly<Record<string, Node>>
}

type Raise = (this: Parser, position: number, message: string) => never

const LenientParser = Parser.extend((Base) => {
  const { raiseRecoverable } = Base.prototype as unknown as { raiseRecoverable: Raise }
  return class extends Base {
    raiseRecoverable(position: number, message: string): void {
      const { type, undefinedExports } = this as unknown as Declared
      const isUndeclared = Object.values(undefinedExports).some(({ start }) => start === position)
      // Only at the end is it known what is not declared.
      if (type !== tokTypes.eof || !isUndeclared) raiseRecoverable.call(this, position, message)
    }
  }
})

/** As acorn's `parse`, without the exports that nothing declares. */
export function parseWithoutTypes(source: string, options: Options): Program {
  const parser = new (LenientParser as unknown as new (options: Options, source: string) => Parser & Declared)(
    options,
    source,
  )
  const program = parser.parse()
  const { undefinedExports } = parser
  if (Object.keys(undefinedExports).length === 0) return program
  for (const node of program.body) {
    if (node.type !== 'ExportNamedDeclaration' || node.source) continue
    node.specifiers = node.specifiers.filter(
      ({ local }) => local.type !== 'Identifier' || !Object.hasOwn(undefinedExports, local.name),
    )
  }
  return program
}
