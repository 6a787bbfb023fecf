/** Syntax trees as text, for tests to compare: `(+ a (* b c))`. */
import type { Argument, Bound, DeclaredOperator, Expression, PathStep, Unit } from '../../src/syntax/ast.ts'
import { parseExpression, parseModule } from '../../src/syntax/parse.ts'

export const shown = (text: string): string => show(parseExpression({ path: 'test', text }))

/** The unit that a module consists of. */
export const unitOf = (text: string): Unit => unitsOf(text)[0]!

export const unitsOf = (text: string): readonly Unit[] =>
  parseModule({ path: 'test', text: `---- MODULE Test ----\n${text}\n====` }).units

/**
 * What a person reads of what is wrong with a text: as an expression, or as a module if it looks
 * like one.
 */
export function refusal(text: string): string {
  const parse = text.includes('MODULE ') ? parseModule : parseExpression
  try {
    parse({ path: 'Test.tla', text })
  } catch (error) {
    return (error as { describe(): string }).describe()
  }
  return 'accepted'
}

export function show(node: Argument): string {
  switch (node.kind) {
    case 'number':
      return node.text
    case 'string':
      return JSON.stringify(node.value)
    case 'apply': {
      const name = pathText(node.path) + node.name
      return node.arguments.length === 0 ? name : list(name, node.arguments)
    }
    case 'operator symbol':
      return `op ${pathText(node.path)}${node.name}`
    case 'lambda':
      return `(LAMBDA ${node.parameters.map(declared).join(' ')} : ${show(node.body)})`
    case 'junction':
      return list(node.isList ? `list ${node.name}` : node.name, node.items)
    case 'product':
      return list('\\X', node.items)
    case 'parentheses':
      return `(${show(node.body)})`
    case 'tuple':
      return `<<${node.items.map(show).join(', ')}>>`
    case 'set':
      return `{${node.items.map(show).join(', ')}}`
    case 'filter':
      return `{${bound(node.bound)} : ${show(node.body)}}`
    case 'map':
      return `{${show(node.body)} : ${node.bounds.map(bound).join(', ')}}`
    case 'function':
      return `[${node.bounds.map(bound).join(', ')} |-> ${show(node.body)}]`
    case 'function set':
      return `[${show(node.domain)} -> ${show(node.range)}]`
    case 'application':
      return `${show(node.function)}[${node.arguments.map(show).join(', ')}]`
    case 'record':
    case 'record set': {
      const mark = node.kind === 'record' ? ' |-> ' : ' : '
      return `[${node.fields.map(({ name, value }) => name.name + mark + show(value)).join(', ')}]`
    }
    case 'field':
      return `${show(node.record)}.${node.field.name}`
    case 'except':
      return `[${show(node.function)} EXCEPT ${node.updates.map((update) => `!${update.path.map(step).join('')} = ${show(update.value)}`).join(', ')}]`
    case 'at':
      return '@'
    case 'quantifier':
      return `(${node.name} ${node.bounds.map(bound).join(', ')} : ${show(node.body)})`
    case 'unbounded quantifier':
      return `(${node.name} ${node.names.map(({ name }) => name).join(', ')} : ${show(node.body)})`
    case 'choose': {
      const names = node.names.map(({ name }) => name).join(', ')
      const set = node.set === undefined ? '' : ` \\in ${show(node.set)}`
      return `(CHOOSE ${node.isTuple ? `<<${names}>>` : names}${set} : ${show(node.body)})`
    }
    case 'if':
      return list('IF', [node.condition, node.then, node.else])
    case 'case': {
      const arms = node.arms.map(({ condition, body }) => `${show(condition)} -> ${show(body)}`)
      if (node.other !== undefined) arms.push(`OTHER -> ${show(node.other)}`)
      return `(CASE ${arms.join(' [] ')})`
    }
    case 'let':
      return `(LET ${node.definitions.map(showUnit).join('; ')} IN ${show(node.body)})`
    case 'action':
      return node.shape === 'square'
        ? `[${show(node.action)}]_${show(node.subscript)}`
        : `<<${show(node.action)}>>_${show(node.subscript)}`
    case 'fairness':
      return `${node.name}_${show(node.subscript)}(${show(node.action)})`
    case 'label': {
      const parameters = node.parameters.map(({ name }) => name).join(', ')
      return `(${node.name.name}${parameters && `(${parameters})`} :: ${show(node.body)})`
    }
  }
}

export function showUnit(unit: Unit): string {
  switch (unit.kind) {
    case 'constants':
    case 'recursive':
      return `${unit.kind} ${unit.declared.map(declared).join(' ')}`
    case 'variables':
      return `variables ${unit.declared.map(({ name }) => name).join(' ')}`
    case 'operator':
      return `${local(unit)}${heading(unit)} == ${show(unit.body)}`
    case 'function':
      return `${local(unit)}${unit.name.name}[${unit.bounds.map(bound).join(', ')}] == ${show(unit.body)}`
    case 'instance': {
      const given = unit.substitutions.map(({ name, value }) => `${name.name} <- ${show(value)}`)
      return `${local(unit)}INSTANCE ${unit.module.name}${given.length > 0 ? ` WITH ${given.join(', ')}` : ''}`
    }
    case 'module definition':
      return `${local(unit)}${heading(unit)} == ${showUnit(unit.instance)}`
    case 'assume':
      return `ASSUME ${named(unit.name)}${show(unit.body)}`
    case 'theorem': {
      const body = unit.body.kind === 'sequent' ? 'a sequent' : show(unit.body)
      return `THEOREM ${named(unit.name)}${body}`
    }
    case 'module':
      return `MODULE ${unit.name.name} EXTENDS ${unit.extends.map(({ name }) => name).join(' ')}: ${unit.units.map(showUnit).join('; ')}`
  }
}

function heading({ name, parameters }: { name: { name: string }; parameters: readonly DeclaredOperator[] }): string {
  return parameters.length === 0 ? name.name : `${name.name}(${parameters.map(declared).join(', ')})`
}

const local = (unit: { local: boolean }): string => (unit.local ? 'LOCAL ' : '')
const named = (name: { name: string } | undefined): string => (name === undefined ? '' : `${name.name} == `)
const declared = ({ name, arity }: DeclaredOperator): string => (arity === 0 ? name.name : `${name.name}/${arity}`)
const list = (name: string, items: readonly Argument[]): string => `(${name} ${items.map(show).join(' ')})`
const pathText = (path: readonly PathStep[]): string =>
  path
    .map((part) => `${part.name}${part.arguments.length > 0 ? `(${part.arguments.map(show).join(', ')})` : ''}!`)
    .join('')

function bound({ names, isTuple, set }: Bound): string {
  const text = names.map(({ name }) => name).join(', ')
  return `${isTuple ? `<<${text}>>` : text} \\in ${show(set)}`
}

function step(
  part: { kind: 'index'; arguments: readonly Expression[] } | { kind: 'field'; field: { name: string } },
): string {
  return part.kind === 'field' ? `.${part.field.name}` : `[${part.arguments.map(show).join(', ')}]`
}
