/**
 * Tests that replace modules run as in vitest and jest. The files for vitest are run by vitest, too; those for
 * jest have the mock functions of a stand-in, as jest is not installed here.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Line, type Project, parsed, project } from './project.ts'

const REPOSITORY = resolve(import.meta.dirname, '../../../..')

function installed(files: Readonly<Record<string, string>>): Project {
  const made = project(files)
  mkdirSync(join(made.root, 'node_modules'), { recursive: true })
  for (const name of ['vitest', 'fast-check'])
    symlinkSync(join(REPOSITORY, 'node_modules', name), join(made.root, 'node_modules', name))
  return made
}

const MODULES = {
  'package.json': '{ "type": "module" }',
  'src/price.ts': `export const price = (item: string): number => { throw new Error('asks a shop for ' + item) }
export const currency = 'EUR'
export class Shop { open = true; static of() { return new Shop() } close() { this.open = false } }
export const list = [1, 2]
export const [home, since, bytes] = [new URL('https://shop.test/'), new Date(0), Buffer.from('ab')]
export const [known, name] = [new Map([[1, 2]]), /a/]
export const shop = { name: 'corner', sell: () => 1 }
export default function main() { return 'real' }
`,
  'src/names.ts': `export * from './price.js'`,
  'src/total.ts': `import { price } from './price.js'
import { readFileSync } from 'node:fs'
export const total = (items: string[]): number => items.reduce((sum, item) => sum + price(item), 0)
export const stored = () => readFileSync('/nowhere', 'utf8')
`,
  'src/greeting.ts': `export const greeting = () => 'real'`,
  'src/__mocks__/greeting.ts': `export const greeting = () => 'from __mocks__'`,
  'node_modules/rates/package.json': '{ "name": "rates", "type": "module", "exports": { "import": "./index.js" } }',
  'node_modules/rates/index.js': `import { readFileSync } from 'node:fs'
export const rate = () => 2
export const isReal = () => { try { readFileSync('/nowhere'); return false } catch { return true } }`,
}

const VITEST = {
  'a factory': `
import { total } from '../src/total'
import { price, currency } from '../src/price'
vi.mock('../src/price', async (importOriginal) => ({ ...(await importOriginal<object>()), price: vi.fn(() => 3) }))
check('is what all modules see', (items) => {
  vi.mocked(price).mockClear()
  expect(total(items)).toBe(3 * items.length)
  expect(price).toHaveBeenCalledTimes(items.length)
  expect(currency).toBe('EUR')
})`,

  'a factory with hoisted variables': `
import { total } from '../src/total'
const { cost } = vi.hoisted(() => ({ cost: { each: 5 } }))
vi.mock('../src/price', () => ({ price: () => cost.each }))
check('sees them', (items) => {
  cost.each = items.length
  expect(total(items)).toBe(items.length ** 2)
})`,

  'an import() in place of the name': `
import { total } from '../src/total'
vi.mock(import('../src/price'), async (original) => ({ ...(await original()), price: () => 1 }))
check('is typed, and the same', (items) => { expect(total(items)).toBe(items.length) })`,

  'no factory': `
import * as prices from '../src/price'
import { total } from '../src/total'
vi.mock('../src/price')
check('gives mock functions', (items) => {
  vi.mocked(prices.price).mockReset()
  expect(prices.price('x')).toBeUndefined()
  vi.mocked(prices.price).mockReturnValue(2)
  expect(total(items)).toBe(2 * items.length)
  expect(vi.isMockFunction(prices.shop.sell)).toBe(true)
  expect([prices.currency, prices.shop.name, prices.list]).toEqual(['EUR', 'corner', []])
  expect([prices.home.href, prices.since.getTime(), prices.bytes.toString(), prices.known.size, prices.name.source]).toEqual(['https://shop.test/', 0, 'ab', 1, 'a'])
  expect(prices.default()).toBeUndefined()
  expect(new prices.Shop().close()).toBeUndefined()
  expect(prices.Shop.of()).toBeUndefined()
})`,

  spies: `
import { currency, default as main } from '../src/price'
vi.mock('../src/price', { spy: true })
check('call the original', () => {
  expect([currency, main()]).toEqual(['EUR', 'real'])
  expect(main).toHaveBeenCalled()
})`,

  'a folder of mocks': `
import { greeting } from '../src/greeting'
vi.mock('../src/greeting')
check('is used', () => { expect(greeting()).toBe('from __mocks__') })`,

  'the original': `
import { greeting } from '../src/greeting'
vi.mock('../src/greeting', () => ({ greeting: () => 'mocked' }))
check('is there for who asks', async () => {
  const { greeting: real } = await vi.importActual<typeof import('../src/greeting')>('../src/greeting')
  expect([greeting(), real(), (await import('../src/greeting')).greeting()]).toEqual(['mocked', 'real', 'mocked'])
})`,

  builtins: `
import { readFileSync } from 'fs'
import { stored } from '../src/total'
import { isReal } from 'rates'
vi.mock('node:fs', async (original) => ({ ...(await original<object>()), readFileSync: () => 'text' }))
vi.mock('../src/price', () => ({ price: () => 1 }))
check('are replaced, but for packages', () => {
  expect([stored(), readFileSync('x'), isReal()]).toEqual(['text', 'text', true])
})`,

  'packages, and exports that pass through': `
import { rate } from 'rates'
import { price, currency } from '../src/names'
vi.mock('rates', () => ({ rate: () => 7 }))
vi.mock('../src/names', () => ({ price: () => 8 }))
check('are replaced where they are imported', () => {
  expect([rate(), price('x')]).toEqual([7, 8])
  expect(() => currency).toThrow(/currency/)
})`,

  'top-level await': `
import { total } from '../src/total'
await null
const { each } = vi.hoisted(() => ({ each: 4 }))
vi.mock('../src/price', () => ({ price: () => each }))
check('changes nothing', (items) => { expect(total(items)).toBe(4 * items.length) })`,

  'a mock function of what is imported': `
import { total } from '../src/total'
vi.mock('../src/price', () => ({ price: () => 1 }))
const mockTotal = vi.fn(total)
check('is made where it stands', (items) => { expect(mockTotal(items)).toBe(items.length) })`,

  'state of a mock': `
import { count } from '../src/greeting'
vi.mock('../src/greeting', () => { let calls = 0; return { count: () => ++calls } })
let before = 0
check('lives as long as the file', () => { before = (count as () => number)(); expect(before).toBeGreaterThan(0) })`,
}

const CHECK = `
function check(title: string, body: (items: string[]) => unknown) {
  it(title, () => fc.assert(fc.asyncProperty(fc.array(fc.string()), async (items) => void (await body(items)))))
}
`

describe('tests for vitest that replace modules', () => {
  const fileOf = (name: string) => `${name.replace(/\W+/g, '-')}.test.ts`
  const head = `import { expect, it, vi } from 'vitest'\nimport fc from 'fast-check'`
  const files = Object.entries(VITEST).map(([name, text]) => [`test/${fileOf(name)}`, `${head}${text}\n${CHECK}`])
  const here = installed({ ...MODULES, ...Object.fromEntries(files) })
  let lines: Line[]

  beforeAll(async () => {
    const { stdout } = await here.call('fuzz', 'test/*.test.ts', '--runs', '20', '--seed', '1', '--json')
    lines = parsed(stdout)
  })

  it('pass in vitest', async () => {
    const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
    await promisify(execFile)(process.execPath, [vitest, 'run', '--root', here.root], { cwd: here.root })
  })

  it.each(Object.keys(VITEST))('pass in norn: %s', (name) => {
    const own = lines.filter(({ type, file }) => type === 'summary' && file === `test/${fileOf(name)}`)
    expect(own).toMatchObject([{ passed: 20, voided: 0 }])
  })
})

const JEST = {
  'a factory that returns nothing else': `
import main, { total, kind } from '../src/service'
import { old } from '../src/legacy.cjs'
import { sum } from 'shop'
const mockPrice = jest.fn((item) => item.length)
jest.mock('../src/price', () => ({ ...jest.requireActual('../src/price'), __esModule: true, price: (item) => mockPrice(item), default: () => 'mocked' }))
jest.mock('rates', () => ({ rate: () => 7 }))
check('is what all modules see', (text) => {
  expect([total(text), old(text), main(), kind]).toEqual([text.length + 7, 'old ' + text.length, 'mocked', 'EUR'])
  expect(sum(1)).toBe(8)
})`,

  'the original of CommonJS': `
import { old, kind } from '../src/plain.cjs'
jest.mock('../src/plain.cjs', () => ({ ...jest.requireActual('../src/plain.cjs'), kind: 'mocked' }))
check('is what require gives', (text) => {
  expect([old(text), kind, Object.keys(jest.requireActual('../src/plain.cjs'))]).toEqual(['old ' + text, 'mocked', ['old', 'kind']])
})`,

  'a factory in a function': `
import { load } from '../src/lazy'
describe('loaded later', () => {
  jest.mock('../src/kind', () => ({ kind: 'mocked' }))
  check('is what loads from then on', () => expect(load().kind).toBe('mocked'))
})`,

  'no factory, where exports are passed on': `
import * as passed from '../src/passed'
jest.mock('../src/passed')
check('reads them', () => {
  expect([passed.price('x'), new passed.Till().open(), passed.currency]).toEqual([undefined, undefined, 'EUR'])
})
check('gives each instance mocks of its own', () => {
  const [one, two] = [new passed.Till(), new passed.Till()]
  one.open()
  expect([one.open.calls.length, two.open.calls.length]).toEqual([1, 0])
})`,

  'a function in place of a module': `
import main from '../src/service'
import { old } from '../src/legacy.cjs'
jest.mock('../src/price', () => Object.assign(() => 'function', { price: () => 1 }))
check('is its default', (text) => { expect([main(), old(text)]).toEqual(['function', 'old 1']) })`,

  'no factory': `
import * as prices from '../src/price'
import { greeting } from '../src/greeting'
jest.mock('../src/price')
jest.mock('../src/greeting')
check('gives mock functions', () => {
  expect([prices.price('x'), prices.default(), prices.currency]).toEqual([undefined, undefined, 'EUR'])
  expect(prices.price.calls).toEqual([['x']])
  expect(greeting()).toBe('from __mocks__')
})`,

  'modules that load anew': `
import { counted } from '../src/counted'
const load = () => require('../src/counted').counted()
check('after jest.resetModules, and within jest.isolateModules', () => {
  jest.resetModules()
  expect([counted() > 0, load(), load(), require('../src/open.cjs') === require('../src/open.cjs')]).toEqual([true, 1, 2, true])
  const open = require('../src/open.cjs')
  jest.resetModules()
  expect([load(), open === require('../src/open.cjs')]).toEqual([1, false])
  let inside
  jest.isolateModules(() => { inside = [load(), load()] })
  expect([inside, load()]).toEqual([[1, 2], 2])
})
test('and until the promise of jest.isolateModulesAsync settles', () => fc.assert(fc.asyncProperty(fc.string(), async () => {
  jest.resetModules()
  load()
  await jest.isolateModulesAsync(async () => {
    await null
    expect([load(), load(), load()]).toEqual([1, 2, 3])
  })
  expect(load()).toBe(2)
})))`,

  'a mock from now on': `
check('is what loads later, until jest.dontMock', () => {
  jest.resetModules()
  jest.doMock('../src/price', () => ({ price: () => 41, default: () => 42 }))
  expect(require('../src/legacy.cjs').old('x')).toBe('old 41')
  jest.dontMock('../src/price')
  jest.resetModules()
  let error
  try { require('../src/legacy.cjs').old('x') } catch (thrown) { error = thrown }
  expect(error.message).toBe('asks a shop for x')
})`,

  'a factory, for what require loads, and again behind jest.resetModules': `
const load = () => require('../src/service').default()
jest.mock('../src/price', () => { let calls = 0; return { __esModule: true, price: () => 1, default: () => ++calls } })
jest.mock('rates', () => ({ rate: () => 7 }))
check('is called anew', () => {
  jest.resetModules()
  expect([load(), load()]).toEqual([1, 2])
  jest.resetModules()
  expect([load(), require('../src/price').default(), require('../src/legacy.cjs').old('x')]).toEqual([1, 2, 'old 1'])
})`,

  'names of CommonJS beside imports': `
import { basename } from 'node:path'
const here = __dirname
check('are those of the file', () => {
  expect([basename(here), basename(__filename), require('./it.test.ts') !== undefined]).toEqual(['test', 'it.test.ts', true])
})`,

  'no factory, where a module is a function or an instance': `
const open = require('../src/open.cjs')
const log = require('../src/log.cjs')
jest.mock('../src/open.cjs')
jest.mock('../src/log.cjs')
check('gives the same with mock functions', () => {
  expect([open(1), open.sync(2), open.kind, log.info('x'), log.level]).toEqual([undefined, undefined, 'open', undefined, 7])
  expect([log.close(), new log.Log().close(), new log.Log().info('y')]).toEqual([undefined, undefined, undefined])
  expect([open.calls, open.sync.calls, log.info.calls]).toEqual([[[1]], [[2]], [['x']]])
})`,
}

const JEST_MODULES = {
  ...MODULES,
  'src/service.ts': `import main, { price, currency } from './price'
import { rate } from 'rates'
export const total = (item: string): number => price(item) + rate()
export { main as default, currency as kind }
`,
  'src/lazy.ts': "export const load = (): { kind: string } => require('./kind')",
  'src/kind.ts': "export const kind = 'real'",
  'src/passed.ts': "export * from './price'\nexport { Till } from './till'",
  'src/till.ts': 'export class Till { open(): number { return 1 } }',
  'src/counted.ts': `let count = 0
export const counted = (): number => ++count
`,
  'src/open.cjs': `module.exports = Object.assign((n) => n, { sync: (n) => n, kind: 'open' })`,
  'src/log.cjs': `class Base { close() { return 1 } } class Log extends Base { level = 7; info(text) { return text } } module.exports = new Log(); module.exports.Log = Log`,
  'src/plain.cjs': `exports.old = (item) => 'old ' + item; exports.kind = 'real'`,
  'src/legacy.cjs': `const { price } = require('./price.ts'); exports.old = (item) => 'old ' + price(item)`,
  'node_modules/shop/package.json': '{ "name": "shop", "type": "module", "exports": "./index.js" }',
  'node_modules/shop/index.js': `import { rate } from 'rates'; export const sum = (price) => price + rate()`,
  'node_modules/expect/package.json': '{ "name": "expect", "main": "index.js" }',
  'node_modules/expect/index.js': `const { deepEqual, equal } = require('node:assert/strict')
exports.expect = (value) => ({ toEqual: (other) => deepEqual(value, other), toBe: (other) => equal(value, other) })`,
  'node_modules/jest-mock/package.json': '{ "name": "jest-mock", "main": "index.js" }',
  'node_modules/jest-mock/index.js': `exports.ModuleMocker = class {
  fn(given) { const mock = function (...args) { mock.calls.push(args); return given?.(...args) }; mock.calls = []; return mock }
  restoreAllMocks() {}
  getMetadata(value) {
    const names = new Set()
    for (let each = value; each && each !== Object.prototype && each !== Function.prototype; each = Object.getPrototypeOf(each))
      for (const name of Object.getOwnPropertyNames(each)) if (!Object.getOwnPropertyDescriptor(each, name).get || value.__esModule) names.add(name)
    const isMocked = typeof value === 'function' || (typeof value === 'object' && value !== null && !Array.isArray(value))
    if (!isMocked) return { value: Array.isArray(value) ? [] : value }
    const members = [...names].filter((name) => !['constructor', 'length', 'name', 'caller', 'arguments'].includes(name))
    return { isCalled: typeof value === 'function', members: members.map((name) => [name, this.getMetadata(value[name])]) }
  }
  generateFromMetadata({ value, isCalled, members }) {
    if (members === undefined) return value
    const prototype = members.find(([name]) => name === 'prototype')?.[1]
    const made = isCalled ? this.fn() : {}
    const own = (to, each) => each.forEach(([name, data]) => { if (name !== 'prototype') to[name] = this.generateFromMetadata(data) })
    own(made, members)
    // Each instance has mocks of its own.
    if (prototype?.members.length > 0) return Object.assign(class { constructor() { own(this, prototype.members) } }, made)
    return made
  }
}`,
}

const JEST_CHECK = `
function check(title, body) {
  test(title, () => fc.assert(fc.property(fc.string(), (text) => void body(text))))
}`

describe('tests for jest that replace modules', () => {
  it.each(Object.entries(JEST))('pass in norn: %s', async (_, text) => {
    const made = project({ ...JEST_MODULES, 'test/it.test.ts': `import fc from 'fast-check'${text}\n${JEST_CHECK}\n` })
    const { stdout } = await made.call('fuzz', 'test/it.test.ts', '--runs', '20', '--seed', '1', '--json')
    expect(parsed(stdout)[0]).toMatchObject({ type: 'summary', passed: 20, voided: 0 })
  })
})

const COMMONJS = {
  'a factory': `'use strict'
const { total, list } = require('../src/total')
const mockPrice = jest.fn((item) => item.length)
jest.mock('../src/price', () => ({ ...jest.requireActual('../src/price'), price: (item) => mockPrice(item) }))
jest.mock('rates', () => ({ rate: () => 7 }))
check('is what all modules see', (text) => { expect([total(text), list]).toEqual([text.length + 7, [1, 2]]) })`,

  'a file without requests before it': `jest.mock('../src/price', () => () => 'all of it')
const price = require('../src/price')
check('is the first to run', () => { expect(price()).toBe('all of it') })`,

  'no factory': `
const prices = require('../src/price')
const greet = require('../src/greet')
jest.mock('../src/price')
jest.mock('../src/greet')
check('gives mock functions', (text) => {
  expect([prices.price(text), prices.list, greet()]).toEqual([undefined, [], 'from __mocks__'])
})`,

  'an import in it': `
jest.mock('../src/price', () => ({ price: () => 5 }))
test('sees the mock', () => fc.assert(fc.asyncProperty(fc.nat(), async (n) => {
  const { default: { total } } = await import('../src/total.js')
  expect(total(String(n))).toBe(7)
})))`,
}

const COMMONJS_MODULES = {
  ...JEST_MODULES,
  'package.json': '{}',
  'src/price.js': `exports.price = () => { throw new Error('asks a shop') }; exports.list = [1, 2]`,
  'src/total.js': `const { price, list } = require('./price')
exports.total = (item) => price(item) + require('rates').rate()
exports.list = list`,
  'src/greet.js': `module.exports = () => 'real'`,
  'src/__mocks__/greet.js': `module.exports = () => 'from __mocks__'`,
  'node_modules/rates/package.json': '{ "name": "rates", "main": "index.js" }',
  'node_modules/rates/index.js': 'exports.rate = () => 2',
}

describe('CommonJS tests for jest that replace modules', () => {
  it.each(Object.entries(COMMONJS))('pass in norn: %s', async (_, text) => {
    const file = `${text}\nconst fc = require('fast-check')\n${JEST_CHECK}\n`
    const made = project({ ...COMMONJS_MODULES, 'test/it.test.js': file })
    const { stdout } = await made.call('fuzz', 'test/it.test.js', '--runs', '20', '--seed', '1', '--json')
    expect(parsed(stdout)[0]).toMatchObject({ type: 'summary', passed: 20, voided: 0 })
  })

  it('have their failures where they are written', async () => {
    const property = `require('fast-check').property(require('fast-check').nat(), () => { throw new Error('here') })`
    const text = `test('x', () => { require('fast-check').assert(${property}) }); jest.mock('../src/price', () => ({}))\n`
    const made = project({ ...COMMONJS_MODULES, 'test/it.test.js': text })
    const { stdout, stderr } = await made.call('fuzz', 'test/it.test.js')
    expect(`${stdout}${stderr}`).toContain(`it.test.js:1:${text.indexOf('new Error') + 1}`)
  })

  it('have the globals that they do not ask for', async () => {
    const text = `const { test } = require('@jest/globals')\n${COMMONJS['a factory'].replace("'use strict'", '')}`
    const file = `${text}\nconst fc = require('fast-check')\n${JEST_CHECK}\n`
    const made = project({ ...COMMONJS_MODULES, 'test/it.test.js': file })
    const { stdout } = await made.call('fuzz', 'test/it.test.js', '--runs', '20', '--seed', '1', '--json')
    expect(parsed(stdout)[0]).toMatchObject({ type: 'summary', passed: 20, voided: 0 })
  })

  it('name the place of a module that does not exist', async () => {
    const made = project({
      ...COMMONJS_MODULES,
      'test/it.test.js': `test('x', () => {})\njest.mock('../src/nothing')\n`,
    })
    const { status, stderr } = await made.call('fuzz', 'test/it.test.js')
    expect(stderr).toMatch(/it\.test\.js:2:11\n.*'\.\.\/src\/nothing'/)
    expect(status).not.toBe(0)
  })
})

describe('a mock that norn does not make', () => {
  it.each([
    ['test/a.test.cjs', `const { jest, test } = require('@jest/globals')\njest.mock('../src/price')\n`, 'require'],
    ['test/b.test.ts', `for (const name of ['../src/price']) jest.mock(name, () => ({}))\n`, 'not constant'],
  ])('is refused by name: %s', async (file, text, why) => {
    const made = project({ ...JEST_MODULES, [file]: `${text}test('x', () => {})\n` })
    const { status, stdout, stderr } = await made.call('fuzz', file)
    expect(`${stdout}${stderr}`).toContain(why)
    expect(status).not.toBe(0)
  })

  it('is told of with its place where it waits for hoisted values', async () => {
    const text = `import { vi, it } from 'vitest'\nconst x = await vi.hoisted(async () => 1)\nit('x', () => void x)\n`
    const made = installed({ ...MODULES, 'test/a.test.ts': text })
    const { status, stderr } = await made.call('fuzz', 'test/a.test.ts')
    expect(stderr).toMatch(/a\.test\.ts:2:11\n[\s\S]*norn does not wait for vi\.hoisted/)
    expect(status).not.toBe(0)
  })

  it('of a module that does not exist has the place of its name', async () => {
    const text = `import { vi, it } from 'vitest'\nvi.mock('../src/nothing')\nit('x', () => {})\n`
    const made = installed({ ...MODULES, 'test/a.test.ts': text })
    const { status, stderr } = await made.call('fuzz', 'test/a.test.ts')
    expect(stderr).toMatch(/a\.test\.ts:2:9\n.*'\.\.\/src\/nothing'/)
    expect(status).not.toBe(0)
  })
})
