/**
 * Evaluates an expression over modules, as the tests of the library want it: printed, or refused.
 */
import { loadMachine } from '../../src/node/load.ts'
import { printValue } from '../../src/values/print.ts'

export interface Around {
  readonly definitions?: string
  readonly seed?: number
  print?(line: string): void
}

/** @param modules as they stand after EXTENDS @throws TlaError */
export function evaluate(modules: string, expression: string, { definitions = '', ...options }: Around = {}): string {
  const files = { 'User.tla': `---- MODULE User ----\nEXTENDS ${modules}\n${definitions}\n====` }
  return printValue(
    loadMachine('User.tla', { files, ...options })
      .formula(expression, 'the expression')
      .evaluate(),
  )
}
