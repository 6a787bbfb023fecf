/**
 * Calls that vitest and jest move above the imports of a file of tests: `vi.mock('./x', factory)`,
 * `jest.mock`, and `const x = vi.hoisted(factory)`.
 *
 * Each becomes a function declaration in its place, which the module calls before what it imports
 * runs. So no line moves, and factories see the variables of the file. A call of `mock` also gets the
 * module's cells as its first argument, by which the loader knows that it was moved. In CommonJS they come
 * before the first statement, as jest moves them; those in a function act when it runs. A `jest` that
 * `require` gives moves nothing there, nor here.
 */
import type { CallExpression, Identifier, MemberExpression, Program, VariableDeclarator } from 'acorn'
import type MagicString from 'magic-string'
import { declaredNames } from './esm-shape.ts'
import { placeAt, sourceError } from './source-error.ts'
import { isFunction, type Node, walk } from './syntax-tree.ts'

/** A module that is to be replaced. */
interface MockedRequest {
  readonly specifier: string
  /** Offset of the specifier. */
  readonly start: number
  /** Whether packages see the mock, too. */
  readonly isForAll: boolean
}

export interface Hoisted {
  /** Code that runs before the imports do. */
  readonly head: string
  readonly mocks: readonly MockedRequest[]
}

/** Calls that only get the module's cells. */
const IN_PLACE = [
  ...['importActual', 'requireActual', 'doMock', 'doUnmock', 'dontMock', 'resetModules'],
  ...['isolateModules', 'isolateModulesAsync'],
]
const CALLS = new RegExp(`\\b(?:vi|vitest|jest)\\s*\\.\\s*(?:mock|hoisted|${IN_PLACE.join('|')})\\b`)
const FRAMEWORK = /^(?:vitest|@jest\/globals|@fast-check\/(?:vitest|jest))$/

/** Whether a text calls what has to be moved, as far as a glance tells. */
export function callsMocks(source: string): boolean {
  return CALLS.test(source)
}

/**
 * @param text of the source; changed in place
 * @throws Error with its place, for what cannot run before the imports do
 */
export function hoist(program: Program, path: string, text: MagicString, stem: string): Hoisted | undefined {
  const source = text.original
  if (!callsMocks(source)) return undefined
  const objects = utilitiesOf(program)
  const call = (node: Node | null | undefined, ...methods: string[]) => callOf(node, objects, methods)
  const mocks: MockedRequest[] = []
  const moved = new Set<Node>()
  let head = ''
  let functions = 0
  const move = (start: number, end: number, variables: string[] = []) => {
    const name = `${stem}hoisted${functions++}`
    text.appendLeft(start, `function ${name}(){`)
    text.appendLeft(end, '}')
    head += `${variables.length > 0 ? `let ${variables};` : ''}${name}();`
  }
  for (const node of program.body) {
    if (node.type === 'ExpressionStatement') {
      const mock = call(node.expression, 'mock')
      const [asked] = mock?.arguments ?? []
      const specifier = asked === undefined ? undefined : specifierOf(asked)
      if (specifier !== undefined) {
        moved.add(mock!)
        mocks.push({ specifier, start: asked!.start, isForAll: objects.get(nameOf(mock!)) === 'jest' })
        if (asked!.type === 'ImportExpression') text.update(asked!.start, asked!.end, JSON.stringify(specifier))
        text.appendLeft(asked!.start, `${stem}self,`)
      }
      if (specifier !== undefined || call(node.expression, 'hoisted')) move(node.start, node.end)
    } else if (node.type === 'VariableDeclaration' && node.declarations.length === 1) {
      const [declared] = node.declarations
      if (declared!.init?.type === 'AwaitExpression' && call(declared!.init.argument, 'hoisted')) {
        const why = 'norn does not wait for vi.hoisted: let its function return the value, not a promise'
        throw sourceError(why, path, source, placeAt(source, declared!.init.start))
      }
      const fn = call(declared!.init, 'fn')
      const isMock = fn !== undefined && objects.get(nameOf(fn)) === 'jest' && isMockFunction(declared!, fn)
      if (!isMock && call(declared!.init, 'hoisted') === undefined) continue
      const lines = source.slice(node.start, declared!.start).replace(/[^\n\r\u2028\u2029]/g, '')
      text.update(node.start, declared!.start, `${lines}(`)
      text.appendLeft(declared!.end, ')')
      move(node.start, node.end, declaredNames(node))
    }
  }
  walk(program, (node) => {
    const inBlock = call(node, 'mock')
    if (inBlock !== undefined && !moved.has(inBlock) && objects.get(nameOf(inBlock)) === 'jest') {
      // Jest moves it to the begin of its block, and `doMock` does the same where it stands.
      const { property } = inBlock.callee as MemberExpression
      if (inBlock.arguments[0] !== undefined && specifierOf(inBlock.arguments[0]) !== undefined)
        text.update(property.start, property.end, 'doMock').appendLeft(inBlock.arguments[0].start, `${stem}self,`)
    }
    const found = call(node, ...IN_PLACE)
    if (found === undefined) return
    const [asked] = found.arguments
    if (asked === undefined) text.appendLeft(found.end - 1, `${stem}self`)
    else {
      const specifier = asked.type === 'ImportExpression' ? specifierOf(asked) : undefined
      if (specifier !== undefined) text.update(asked.start, asked.end, JSON.stringify(specifier))
      text.appendLeft(asked.start, `${stem}self,`)
    }
  })
  return { head, mocks }
}

type Framework = 'vitest' | 'jest'

/** Names by which a file knows `vi` and `jest`: imported from a framework, or global. */
function utilitiesOf(program: Program): ReadonlyMap<string, Framework> {
  const names = new Map<string, Framework>([
    ['vi', 'vitest'],
    ['vitest', 'vitest'],
    ['jest', 'jest'],
  ])
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration') {
      for (const name of declaredNames(node)) names.delete(name)
      continue
    }
    for (const { local } of node.specifiers) names.delete(local.name)
    if (!FRAMEWORK.test(String(node.source.value))) continue
    for (const each of node.specifiers) {
      const imported = each.type === 'ImportSpecifier' ? (each.imported as Identifier).name : undefined
      if (imported === 'jest') names.set(each.local.name, 'jest')
      else if (imported === 'vi' || imported === 'vitest') names.set(each.local.name, 'vitest')
    }
  }
  return names
}

function callOf(
  node: Node | null | undefined,
  objects: ReadonlyMap<string, Framework>,
  methods: readonly string[],
): CallExpression | undefined {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined
  const { object, property, computed } = node.callee
  const isMethod = !computed && property.type === 'Identifier' && methods.includes(property.name)
  return isMethod && object.type === 'Identifier' && objects.has(object.name) ? node : undefined
}

/** The name of the object whose method is called. */
function nameOf({ callee }: CallExpression): string {
  return ((callee as MemberExpression).object as Identifier).name
}

/** The constant specifier of `mock('./x')` or `mock(import('./x'))`. */
function specifierOf(node: Node): string | undefined {
  if (node.type === 'ImportExpression') return specifierOf(node.source)
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]!.value.cooked ?? undefined
}

/** `const mockSave = jest.fn()`, which jest moves with the calls that need it. What is imported is not there yet. */
function isMockFunction({ id }: VariableDeclarator, { arguments: given }: CallExpression): boolean {
  return id.type === 'Identifier' && /^mock/i.test(id.name) && given.every(isFunction)
}
