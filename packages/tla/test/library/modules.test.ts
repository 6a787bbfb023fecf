import { expect, test } from 'vitest'
import { isOwn, OWN_MODULES, ownModule } from '../../src/library/modules.ts'
import { nativeOf, nativeTables } from '../../src/library/natives.ts'
import { createSurroundings } from '../../src/library/surroundings.ts'
import { loadModule } from '../../src/node/module-files.ts'
import { parseModule } from '../../src/syntax/parse.ts'
import { Arena } from '../../src/values/arena.ts'

function extending(names: string, rest = '') {
  const files = { 'User.tla': `---- MODULE User ----\nEXTENDS ${names}\n${rest}\n====` }
  return loadModule('User.tla', { files })
}

test.each(OWN_MODULES)('%s can be extended and instantiated', (name) => {
  expect(extending(name).extended).toContain(name)
  const variables = name === 'RealTime' ? 'VARIABLE now' : ''
  const files = { 'User.tla': `---- MODULE User ----\n${variables}\nI == INSTANCE ${name}\n====` }
  expect([...loadModule('User.tla', { files }).names.keys()]).toContain('I')
})

test.each(OWN_MODULES)('%s keeps to lines that people can read', (name) => {
  const lines = ownModule(name)!.text.split('\n')
  expect(lines.filter((line) => line.length > 130)).toEqual([])
  expect(lines.some((line) => line.startsWith('(*'))).toBe(true)
})

test('every native stands for a definition, and takes as many operands as it has parameters', () => {
  const surroundings = createSurroundings(new Arena())
  const wrong: string[] = []
  for (const [module, table] of nativeTables()) {
    const syntax = parseModule(ownModule(module)!)
    const arities = new Map(
      syntax.units.flatMap((unit) =>
        unit.kind === 'operator' ? [[unit.name.name, unit.parameters.length] as const] : [],
      ),
    )
    for (const [name, native] of Object.entries(table)) {
      const arity = arities.get(name)
      const taken = native.make(surroundings).length
      // Refusals take no operand to refuse.
      if (arity === undefined || (taken !== arity && taken !== 0)) wrong.push(`${module}!${name}: ${arity}, ${taken}`)
    }
  }
  expect(wrong).toEqual([])
})

test('a definition whose text is only a stand-in has a native', () => {
  const standIns = OWN_MODULES.flatMap((name) =>
    parseModule(ownModule(name)!).units.flatMap((unit) => {
      if (unit.kind !== 'operator' || unit.local || unit.body.kind !== 'apply') return []
      const isStandIn = JSON.stringify(unit.body, withoutSource).includes('"name":"Native"')
      return isStandIn ? [[name, unit.name.name] as const] : []
    }),
  )
  expect(standIns).toContainEqual(['Naturals', '+'])
  expect(standIns.filter(([module, name]) => nativeOf(module, name) === undefined)).toEqual([])
})

function withoutSource(key: string, value: unknown): unknown {
  return key === 'at' ? undefined : value
}

test('only names of modules name a module', () => {
  expect(ownModule('Naturals')).toMatchObject({ path: 'Naturals.tla (built-in)' })
  expect(isOwn(ownModule('Naturals')!)).toBe(true)
  expect(ownModule('../modules/Naturals')).toBeUndefined()
  expect(ownModule('NoSuchModule')).toBeUndefined()
})

test('what a module of the community only passes on may be defined anew', () => {
  expect(() => extending('SequencesExt', 'Range(f) == 7')).not.toThrow()
  expect(() => extending('SequencesExt, Functions', 'Range(f) == 7')).toThrow('`Range` is already defined')
})

test('what it passes on can be used', () => {
  expect(() => extending('SequencesExt', 'Size == Cardinality(Range(<<1, 1>>))')).not.toThrow()
})
