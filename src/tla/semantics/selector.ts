/** Parts of definitions by `!`. */
import { TlaError } from '../error.ts'
import type { Argument as ArgumentSyntax, PathStep } from '../syntax/ast.ts'
import type { Context } from './context.ts'
import type { Target } from './reference.ts'
import type { Scope } from './scope.ts'

export function select(
  _context: Context,
  _target: Target,
  step: PathStep,
  rest: readonly PathStep[],
  _scope: Scope,
): { readonly target: Target; readonly given: readonly ArgumentSyntax[] } {
  throw new TlaError('semantics', `\`${step.name}\` has no part \`${rest[0]!.name}\``, rest[0]!.at)
}
