/**
 * The parser: from the text of a module to its syntax tree.
 *
 * Recursive descent over the tokens (lexer.ts), each visited a bounded number of times. It reports
 * one error: the first token that is not allowed.
 */
import { TlaError } from '../error/error.ts'
import type { Source } from '../error/span.ts'
import type { Expression, ModuleSyntax } from './ast.ts'
import { Cursor } from './cursor.ts'
import { expression } from './expression.ts'
import { moduleTokens, tokensOf } from './lexer.ts'
import { moduleSyntax } from './module.ts'

/**
 * The module of a file: from its `---- MODULE Name ----` to the `====` that ends it; text around it
 * counts for nothing.
 *
 * @param name of the module, in a file that has several one after another; its first one if
 * undefined
 * @throws TlaError of kind `syntax`
 */
export function parseModule(source: Source, name?: string): ModuleSyntax {
  return parse(new Cursor(moduleTokens(source, name), expression), moduleSyntax)
}

/**
 * A text that is one expression.
 * @throws TlaError of kind `syntax`
 */
export function parseExpression(source: Source): Expression {
  return parse(new Cursor(tokensOf(source), expression), (cursor) => {
    const result = expression(cursor)
    if (cursor.kind !== 'end') cursor.unexpected('an operator or the end of the expression')
    return result
  })
}

function parse<Result>(cursor: Cursor, rule: (cursor: Cursor) => Result): Result {
  try {
    return rule(cursor)
  } catch (error) {
    // The bounds on nesting keep well below the stack of Node, unless much of it is used up
    // already.
    if (!(error instanceof RangeError)) throw error
    throw new TlaError(
      'syntax',
      'this is nested too deeply: define parts of it as operators of their own',
      cursor.token.at,
    )
  }
}
