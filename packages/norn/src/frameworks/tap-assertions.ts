/**
 * What the assertions of tap compare. Follows `lib/test.js` of libtap 1, which tap 15 and 16 use, with the
 * synonyms of tap 14; deep comparisons are those of the project's own `tcompare`.
 */
import { hostRequire } from '../loader/internals.ts'
import { type Exports, installedThrough } from './installed.ts'

/** What is wrong; undefined if an assertion holds. */
type Outcome = string | undefined

/** An assertion: how many arguments it compares, and how. */
export interface Assertion {
  readonly operands: number
  readonly check: (found: unknown, wanted: unknown) => Outcome
}

interface Comparison {
  readonly match: boolean
  readonly diff: string
}

type Compare = (found: unknown, wanted: unknown) => Comparison

const CARRIERS: readonly string[] = ['libtap', 'tap', '@tapjs/asserts']

const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  ok: ['true', 'assert'],
  notOk: ['false', 'notok', 'assertNot'],
  error: ['ifError', 'ifErr'],
  equal: ['equals', 'isEqual', 'is', 'strictEqual', 'strictEquals', 'identical'],
  not: ['notEqual', 'notEquals', 'notStrictEqual', 'isNot', 'inequal'],
  same: ['equivalent', 'deepEqual', 'deepEquals', 'looseEqual', 'isEquivalent'],
  notSame: ['inequivalent', 'notDeepEqual', 'notDeep', 'notEquivalent'],
  strictSame: ['strictDeepEqual', 'strictEquivalent', 'deepIs', 'isDeeply', 'isDeep'],
  strictNotSame: ['strictInequivalent', 'notStrictSame', 'notDeeply'],
  match: ['matches', 'like', 'similar', 'includes', 'include', 'contains', 'hasFields'],
  notMatch: ['unlike', 'dissimilar', 'notSimilar', 'notLike', 'doesNotHave'],
  type: ['isa', 'isA'],
}

const SAYS: Readonly<Record<string, string>> = {
  same: 'should be equivalent',
  strictSame: 'should be equivalent strictly',
  match: 'should match pattern',
  has: 'should contain all provided fields',
  hasStrict: 'should contain all provided fields strictly',
}

/** @param from the file of tests: its project's `tcompare` is used */
export function tapAssertions(from: string): Readonly<Record<string, Assertion>> {
  const own: Record<string, Assertion> = {
    pass: { operands: 0, check: () => undefined },
    fail: { operands: 0, check: () => 'failing assertion' },
    ok: { operands: 1, check: (found) => (found ? undefined : `expected a truthy value, got ${shown(found)}`) },
    notOk: { operands: 1, check: (found) => (found ? `expected a falsey value, got ${shown(found)}` : undefined) },
    error: { operands: 1, check: (error) => (error ? `should not error: ${shown(error)}` : undefined) },
    equal: { operands: 2, check: strictly(true) },
    not: { operands: 2, check: strictly(false) },
    type: { operands: 2, check: typeOutcome },
    hasProp: {
      operands: 2,
      check: (found, name) => unless(Object(found)[name as string] !== undefined, 'has no', name),
    },
    hasOwnProp: {
      operands: 2,
      check: (found, name) => unless(Object.hasOwn(Object(found), name as string), 'has no own', name),
    },
  }
  for (const [name, method] of [['same'], ['strictSame', 'strict'], ['match'], ['has'], ['hasStrict']] as const) {
    const compare = comparison(method ?? name, from)
    const negated = { strictSame: 'strictNotSame' }[name as string] ?? `not${name[0]!.toUpperCase()}${name.slice(1)}`
    const { [name]: says = '' } = SAYS
    const check = (found: unknown, wanted: unknown) => {
      const { match, diff } = compare(found, wanted)
      return match ? undefined : `${says}\n${diff}`
    }
    own[name] = { operands: 2, check }
    const unlike = (found: unknown, wanted: unknown) =>
      check(found, wanted) === undefined ? says.replace('should', 'should not') : undefined
    own[negated] = { operands: 2, check: unlike }
  }
  const all = Object.entries(own).flatMap(([name, assertion]) =>
    [name, ...(SYNONYMS[name] ?? [])].map((each) => [each, assertion] as const),
  )
  return Object.fromEntries(all)
}

/** `match` of tap: what an error or a result looks like. */
export function tapMatch(from: string): (found: unknown, wanted: unknown) => Outcome {
  return tapAssertions(from).match!.check
}

/** Of `tcompare`, which is loaded when it is first needed. */
function comparison(method: string, from: string): Compare {
  return (found, wanted) => {
    const tcompare = installedThrough('tcompare', CARRIERS, from) as Record<string, Compare> | undefined
    const compare = tcompare?.[method]
    if (compare === undefined)
      throw new Error(`tcompare, which tap compares with, has no ${method} or is not installed`)
    return compare(found, wanted)
  }
}

function strictly(equal: boolean) {
  return (found: unknown, wanted: unknown): Outcome => {
    if ((found === wanted) === equal) return undefined
    return `${equal ? 'should be equal' : 'should not be equal'}: ${shown(found)}, ${shown(wanted)}`
  }
}

function typeOutcome(found: unknown, wanted: unknown): Outcome {
  const name = typeof wanted === 'function' ? wanted.name : wanted
  if (found === wanted) return undefined
  if (typeof wanted === 'function' && (typeof found === 'function' || typeof found === 'object')) {
    return found instanceof wanted ? undefined : `type is not ${name}`
  }
  const ofPrototypes = () => {
    for (let each: unknown = found; each; each = Object.getPrototypeOf(each)) {
      if (each === wanted || (each as object).constructor?.name === name) return true
    }
    return false
  }
  const type = found === null ? 'null' : typeof found
  if (type === name || (type === 'object' && ofPrototypes())) return undefined
  return `type is ${type}, not ${name}`
}

function unless(holds: boolean, says: string, name: unknown): Outcome {
  return holds ? undefined : `${says} property ${shown(name)}`
}

function shown(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`
  const { inspect } = hostRequire('node:util') as Exports & typeof import('node:util')
  return inspect(value, { depth: 3, breakLength: 100 })
}
