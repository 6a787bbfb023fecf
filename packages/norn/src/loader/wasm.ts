/**
 * WebAssembly modules: for each, an ES module is generated that imports what it needs, creates the
 * instance and exports what that has. So cycles, errors and order are those of ES modules.
 *
 * Invariant: bytes are compiled once; each execution has an instance, and a module object, of its
 * own. Follows the translator 'wasm' in lib/internal/modules/esm/translators.js of Node 24, without
 * its warning.
 */

interface Described {
  readonly name: string
  readonly kind: string
}

type Exports = Readonly<Record<string, unknown>>

interface WebAssemblyNamespace {
  readonly Module: {
    new (bytes: Uint8Array, options: object): object
    imports(module: object): (Described & { readonly module: string })[]
    exports(module: object): Described[]
  }
  readonly Instance: new (module: object, imports: object) => { readonly exports: Exports }
}

const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyNamespace }).WebAssembly
const clone = structuredClone

/** As Node passes them. */
const OPTIONS = { builtins: ['js-string'], importedStringConstants: 'wasm:js/string-constants' }

/** The exports of an instance, by the namespace of its module. */
const instances = new WeakMap<object, Exports>()

export class WasmModule {
  readonly #module: object
  readonly #imports: readonly (Described & { readonly module: string })[]
  readonly #exports: readonly Described[]
  /** The specifiers of what it imports. */
  readonly #specifiers: readonly string[]

  /** Throws a CompileError that names the path. */
  constructor(bytes: Uint8Array, path: string) {
    try {
      this.#module = new Module(bytes, OPTIONS)
    } catch (error) {
      ;(error as Error).message = `${path}: ${(error as Error).message}`
      throw error
    }
    this.#imports = Module.imports(this.#module)
    this.#exports = Module.exports(this.#module)
    this.#specifiers = [...new Set(this.#imports.map(({ module }) => module))]
  }

  /** The text of an ES module; its `import.meta` is that of `metaFor`. */
  get text(): string {
    const imports = this.#specifiers.map((specifier, at) => `import * as m${at} from ${JSON.stringify(specifier)};`)
    const values = this.#exports.map((_, at) => `v${at}`)
    const names = this.#exports.map(({ name }, at) => `v${at} as ${JSON.stringify(name)}`)
    const namespaces = imports.map((_, at) => `m${at}`)
    return `${imports.join('')}const [${values}]=import.meta.instantiate([${namespaces}]);export{${names}}`
  }

  /** @param namespace gives the namespace of the module */
  metaFor(namespace: () => object): object {
    const module = this.#module
    return {
      /** A module object of its own, for `import source`. */
      get source() {
        return clone(module)
      },
      instantiate: (imported: readonly object[]): unknown[] => {
        const imports = Object.fromEntries(this.#specifiers.map((name, at) => [name, this.#given(name, imported[at]!)]))
        const { exports } = new Instance(this.#module, imports)
        instances.set(namespace(), exports)
        return this.#exports.map(({ name, kind }) => (kind === 'global' ? globalValue(exports[name]) : exports[name]))
      },
    }
  }

  /** A namespace as an import: globals of another WebAssembly module are passed as globals. */
  #given(specifier: string, namespace: object): object {
    const exports = instances.get(namespace)
    if (exports === undefined) return namespace
    const globals = this.#imports.filter(({ module, kind }) => module === specifier && kind === 'global')
    return { ...namespace, ...Object.fromEntries(globals.map(({ name }) => [name, exports[name]])) }
  }
}

/** The value of a global; undefined for a vector, which JavaScript cannot hold. */
function globalValue(exported: unknown): unknown {
  try {
    return (exported as { value: unknown }).value
  } catch {
    return undefined
  }
}
