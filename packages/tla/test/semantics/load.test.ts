import { expect, test } from 'vitest'
import { modulesOf, resolveExpression } from '../../src/semantics/load.ts'
import type { Term } from '../../src/semantics/term.ts'
import { definition, load } from './modules-in-memory.ts'

test('names are resolved to symbols, and a symbol is one object', () => {
  const module = load(`---- MODULE M ----
EXTENDS Naturals
CONSTANT N
VARIABLE x
Init == x = N
Next == x' = x + 1
====`)
  expect(module.constants.map(({ name }) => name)).toEqual(['N'])
  expect(module.variables.map(({ name }) => name)).toEqual(['x'])
  const init = definition(module, 'Init').body
  expect(init).toMatchObject({ kind: 'primitive', name: '=', level: 'state' })
  const [left, right] = (init as Extract<Term, { kind: 'primitive' }>).arguments
  expect(left).toMatchObject({ kind: 'reference', symbol: module.variables[0] })
  expect(right).toMatchObject({ kind: 'reference', symbol: module.constants[0] })
  expect(definition(module, 'Next').level).toBe('action')
})

test('what comes through an INSTANCE says so, with what stands for the symbols of the module', () => {
  const module = load(
    `---- MODULE M ----
VARIABLE y
I == INSTANCE Cell WITH x <- y, C <- 3
Op == I!Get
====`,
    `---- MODULE Cell ----
CONSTANT C
VARIABLE x
Get == x = C
====`,
  )
  const body = definition(module, 'Op').body as Extract<Term, { kind: 'reference' }>
  expect(body.symbol).toMatchObject({ kind: 'definition', name: 'Get', module: 'Cell' })
  expect(body.through.map(({ instance }) => instance.name)).toEqual(['I'])
  const [constant, variable] = [...body.through[0]!.instance.substitutions]
  expect(constant).toMatchObject([{ name: 'C' }, { kind: 'number', value: 3 }])
  expect(variable).toMatchObject([{ name: 'x' }, { kind: 'reference', symbol: module.variables[0] }])
  expect([...modulesOf(module).keys()]).toEqual(['Cell', 'M'])
})

test('an instance that binds nothing is not gone through', () => {
  const module = load(`---- MODULE M ----
LOCAL INSTANCE Naturals
Two == 1 + 1
====`)
  expect(definition(module, 'Two').body).toMatchObject({ kind: 'reference', through: [] })
  expect(module.names.has('+')).toBe(false)
})

test('expressions are resolved in a module that was loaded', () => {
  const module = load(`---- MODULE M ----
VARIABLE x
LOCAL Hidden == x
====`)
  expect(resolveExpression(module, { path: 'expression', text: "Hidden' = x" })).toMatchObject({ level: 'action' })
})
