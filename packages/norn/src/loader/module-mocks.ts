/**
 * Modules that a file of tests replaces: `vi.mock`, `jest.mock`.
 *
 * A mock is a unit in place of another, in all modules that are linked after the file; its exports are
 * what the factory of the current execution returns. Which modules are mocked is known before any code
 * runs (`hoisting.ts`).
 */
import { basename, dirname, join } from 'node:path'
import { automocked, isNamespace, type MockFunction } from './automock.ts'
import { isUserCode } from './coverage.ts'
import { realFiles } from './real-files.ts'
import { Cells, type EsmUnit, type MockedModule, type NamespaceSource, type Unit } from './unit.ts'

/** What a call of `mock` gives. */
export interface MockCall {
  readonly factory?: ((original: () => Promise<object>) => unknown) | undefined
  /** Whether functions call the original. */
  readonly isSpying?: boolean
  readonly fn: MockFunction
  /** What stands in for exports without a factory, if norn does not make it. */
  readonly standIn?: ((exports: object) => unknown) | undefined
  /** As in jest: an export that the factory does not return is undefined, and `default` all that it returns. */
  readonly isLoose: boolean
}

/** An instance, as mocks see it. */
interface MockSource extends NamespaceSource {
  readonly mocks: ModuleMocks
  /** The unit in place of a module. @throws Error if none is */
  mockOf(specifier: string, importer: string): EsmUnit
  /** A module is replaced for what loads from now on. @throws Error if the specifier leads nowhere */
  mockNow(specifier: string, importer: string, isForAll: boolean): EsmUnit
  /** It no longer is. */
  unmockNow(specifier: string, importer: string): void
  /** What loads from now on loads anew. @param isRequiredToo whether also what `require` has loaded */
  forgetLoaded(isRequiredToo: boolean): void
  /** What an action loads, until its promise settles, loads anew, and is forgotten behind it. */
  isolated(action: () => unknown): unknown
  /** The exports of a module that is not replaced. @param isRequired whether as `require` gives those of CommonJS */
  original(specifier: string, importer: string, isRequired: boolean): object | Promise<object>
  /** The same of a file. */
  originalIn(path: string, isRequired: boolean): object | Promise<object>
}

/**
 * Gives the mock of a module its exports.
 *
 * @param file the cells of the file that asks, which the loader passes to calls that it has moved
 * @returns false if the call was not moved
 */
export function mockModule(file: unknown, specifier: unknown, call: MockCall): boolean {
  if (!(file instanceof Cells)) return false
  const source = file.source as MockSource
  source.mocks.set(source.mockOf(`${specifier}`, file.unit.path), call)
  return true
}

/** Does the same for what loads from now on: `vi.doMock`. @throws Error if the specifier leads nowhere */
export function mockModuleNow(file: unknown, specifier: unknown, call: MockCall): boolean {
  if (!(file instanceof Cells)) return false
  const source = file.source as MockSource
  source.mocks.set(source.mockNow(`${specifier}`, file.unit.path, call.isLoose), call)
  return true
}

/** Undoes that: `vi.doUnmock`, `jest.dontMock`. */
export function unmockModuleNow(file: unknown, specifier: unknown): boolean {
  if (!(file instanceof Cells)) return false
  ;(file.source as MockSource).unmockNow(`${specifier}`, file.unit.path)
  return true
}

/** Lets modules load anew: `vi.resetModules`, and with what `require` has loaded `jest.resetModules`. */
export function forgetModules(file: unknown, isRequiredToo = false): boolean {
  if (!(file instanceof Cells)) return false
  ;(file.source as MockSource).forgetLoaded(isRequiredToo)
  return true
}

/** Calls an action whose modules are its own: `jest.isolateModules`. Undefined as `mockModule` is false. */
export function withOwnModules(file: unknown, action: () => unknown): { readonly result: unknown } | undefined {
  return file instanceof Cells ? { result: (file.source as MockSource).isolated(action) } : undefined
}

/** The exports of a module that is not replaced; undefined as `mockModule` is false. */
export function originalModule(
  file: unknown,
  specifier: unknown,
  isRequired: boolean,
): object | Promise<object> | undefined {
  if (!(file instanceof Cells)) return undefined
  return (file.source as MockSource).original(`${specifier}`, file.unit.path, isRequired)
}

/** Reads exports as the factory has returned them. */
class MockCells extends Cells {
  exports: Record<string, unknown> | undefined = undefined
  isLoose = false

  constructor(source: NamespaceSource, unit: Unit) {
    super(source, unit)
    // biome-ignore lint/correctness/noConstructorReturn: the names are not known
    return new Proxy(this, {
      get: (cells, key) =>
        typeof key === 'string' && key.startsWith('$') ? () => cells.read(key.slice(1)) : Reflect.get(cells, key),
    })
  }

  read(name: string): unknown {
    const { exports } = this
    const { specifier } = (this.unit as EsmUnit).mock!
    if (exports === undefined) throw new ReferenceError(`Cannot access '${name}' of the mock of '${specifier}' yet`)
    if (this.isLoose) return name === 'default' && !isModule(exports) ? exports : exports[name]
    if (name in exports) return exports[name]
    const advice = 'let its factory return it, or all of importOriginal()'
    throw new Error(`the mock of '${specifier}' has no export '${name}': ${advice}`)
  }
}

/** Whether `default` of an object is one of its properties. */
function isModule(exports: Record<string, unknown>): boolean {
  return exports.__esModule === true || isNamespace(exports)
}

/** The exports of a mock, for its namespace. */
export function mockedGetters(cells: Cells): [string, () => unknown][] {
  const { exports, isLoose } = cells as MockCells
  const names = new Set(Object.keys(exports ?? {}))
  if (isLoose) names.add('default')
  return [...names].sort().map((name) => [name, () => (cells as MockCells).read(name)])
}

/** All names, of which none is known. */
const ANY_NAME = Object.assign(new Map<string, string>(), { get: (name: string) => name })

export function mockUnit(asked: Omit<MockedModule, 'beside'>): EsmUnit {
  const { specifier, path } = asked
  const mock = { ...asked, beside: manualMock(asked) }
  // The factories of jest return no promise, so that `require` need not wait.
  const topLevelAwait = !asked.isForAll
  const shape = { requests: [], imports: [], indirectExports: new Map(), starExports: [], topLevelAwait }
  const made = (self: unknown) => {
    const cells = self as MockCells
    return (cells.source as MockSource).mocks.exports(cells.unit as EsmUnit, cells)
  }
  const run = topLevelAwait
    ? async (self: unknown) => void (await made(self))
    : function* (self: unknown) {
        yield
        if (made(self) instanceof Promise)
          throw new Error(`the factory of the mock of '${specifier}' returns a promise`)
      }
  return {
    kind: 'esm',
    path: path ?? specifier,
    search: '\0mock',
    shape: { ...shape, localExports: ANY_NAME },
    wasm: undefined,
    mock,
    CellsOfUnit: MockCells,
    draft: undefined,
    edges: [],
    linked: { run, usesMeta: false, usesDynamicImport: false, uses: [], namespaces: [] },
    source: undefined,
    traced: undefined,
    closure: undefined,
    namespace: undefined,
  }
}

/** Where mocks find the modules that they replace. */
type MockOriginals = Pick<MockSource, 'original' | 'originalIn'>

/** The mocks of one execution. */
export class ModuleMocks {
  readonly #source: MockOriginals
  // Undefined where there are no mocks: an empty map costs as much as a small object.
  #calls: Map<EsmUnit, MockCall> | undefined
  #exports: Map<EsmUnit, unknown> | undefined

  constructor(source: MockOriginals) {
    this.#source = source
  }

  set(unit: EsmUnit, call: MockCall): void {
    this.#calls ??= new Map()
    this.#calls.set(unit, call)
  }

  /** Lets all exports be made anew. Returns the mocks that had some. */
  forget(): Iterable<EsmUnit> {
    const units = this.#exports?.keys() ?? []
    this.#exports = undefined
    return units
  }

  /**
   * What a mock exports: a promise if it has to be waited for.
   *
   * @param cells that are filled with it
   */
  exports(unit: EsmUnit, cells: Cells): unknown {
    this.#exports ??= new Map()
    if (!this.#exports.has(unit)) this.#exports.set(unit, this.#make(unit, cells as MockCells))
    return this.#exports.get(unit)
  }

  #make(unit: EsmUnit, cells: MockCells): unknown {
    const { specifier } = unit.mock!
    const call = this.#calls?.get(unit)
    if (call === undefined) throw new Error(`'${specifier}' is mocked by a call that has not run`)
    cells.isLoose = call.isLoose
    const fill = (exports: unknown) => {
      if ((typeof exports !== 'object' && !(call.isLoose && typeof exports === 'function')) || exports === null)
        throw new TypeError(`the factory of the mock of '${specifier}' has to return an object`)
      cells.exports = exports as Record<string, unknown>
      this.#exports!.set(unit, exports)
      return exports
    }
    const made = this.#exportsOf(unit.mock!, call)
    return made instanceof Promise ? made.then(fill) : fill(made)
  }

  #exportsOf({ specifier, importer, beside }: MockedModule, call: MockCall): unknown {
    const { factory, fn, isSpying = false, isLoose } = call
    const find = () => this.#source.original(specifier, importer, isLoose)
    if (factory !== undefined) return factory(async () => find())
    if (beside !== undefined && !isSpying) return this.#source.originalIn(beside, isLoose)
    const original = find()
    const standIn = call.standIn ?? ((exports: object) => automocked(exports, fn, isSpying))
    return original instanceof Promise ? original.then(standIn) : standIn(original)
  }
}

const EXTENSIONS = ['', '.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '.cjs']

/** The file in a folder `__mocks__` that stands in for a module. */
function manualMock({ specifier, importer, path }: Omit<MockedModule, 'beside'>): string | undefined {
  const find = (file: string) => EXTENSIONS.map((each) => file + each).find((each) => realFiles.exists(each))
  if (path !== undefined && isUserCode(path)) return find(join(dirname(path), '__mocks__', basename(path)))
  for (let folder = dirname(importer); ; folder = dirname(folder)) {
    const found = find(join(folder, '__mocks__', specifier.replace(/^node:/, '')))
    if (found !== undefined || folder === dirname(folder)) return found
  }
}
