/**
 * The names of a function's parameters, which label its arguments in reports.
 *
 * A destructured parameter, or one of a function that cannot be parsed, is named by its position:
 * `value 1`, `value 2`.
 */
import { type Expression, type Pattern, parseExpressionAt } from 'acorn'

/** Longer functions are not parsed, to save time in every execution. */
const MAX_SOURCE = 100_000

/** Names by source: each execution has fresh functions with the same source. */
const known = new Map<string, readonly (string | undefined)[]>()
const NAMES_KEPT = 1000

/**
 * @param count the number of arguments
 * @returns as many distinct names
 */
export function parameterNames(called: Function, count: number): string[] {
  const source = Function.prototype.toString.call(called)
  let found = known.get(source)
  if (found === undefined) {
    found = source.length > MAX_SOURCE ? [] : parsed(source)
    if (known.size >= NAMES_KEPT) known.clear()
    known.set(source, found)
  }
  const names = Array.from(
    { length: count },
    (_, index) => found[index] ?? (count === 1 ? 'value' : `value ${index + 1}`),
  )
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${name} (${index + 1})`))
}

function parsed(source: string): (string | undefined)[] {
  // A method has no `function` keyword, so it parses only inside an object.
  for (const text of [`(${source})`, `({${source}})`]) {
    try {
      const parameters = parametersOf(parseExpressionAt(text, 0, { ecmaVersion: 'latest' }))
      if (parameters !== undefined) return parameters.map(nameOf)
    } catch {}
  }
  return []
}

function parametersOf(expression: Expression): Pattern[] | undefined {
  if (expression.type === 'ParenthesizedExpression') return parametersOf(expression.expression)
  if (expression.type === 'FunctionExpression' || expression.type === 'ArrowFunctionExpression')
    return expression.params
  if (expression.type !== 'ObjectExpression') return undefined
  const [method] = expression.properties
  return method?.type === 'Property' ? parametersOf(method.value) : undefined
}

function nameOf(parameter: Pattern): string | undefined {
  if (parameter.type === 'AssignmentPattern') return nameOf(parameter.left)
  return parameter.type === 'Identifier' ? parameter.name : undefined
}
