/**
 * What is around the text of a CommonJS module, which programs replace by `Module.wrap` and `Module.wrapper`.
 *
 * Invariant: each instance has its own, so that neither norn nor another execution runs what a program puts around.
 * Follows lib/internal/modules/cjs/loader.js.
 */
import vm from 'node:vm'
import type { CommonJsCode } from './commonjs-code.ts'
import { BY_LOADER } from './evaluated-imports.ts'

export type Wrap = (script: string) => string

export class ModuleWrapper {
  /** Whether the program has replaced any of it: then Node compiles the whole text. */
  isReplaced = false
  #wrap: Wrap = (script) => this.#wrapper[0] + script + this.#wrapper[1]
  #wrapper: string[] = new Proxy(['(function (exports, require, module, __filename, __dirname) { ', '\n});'], {
    set: (target, name, value, receiver) => {
      this.isReplaced = true
      return Reflect.set(target, name, value, receiver)
    },
    defineProperty: (target, name, descriptor) => {
      this.isReplaced = true
      return Reflect.defineProperty(target, name, descriptor)
    },
  })

  get wrap(): Wrap {
    return this.#wrap
  }

  set wrap(wrap: Wrap) {
    this.isReplaced = true
    this.#wrap = wrap
  }

  get wrapper(): string[] {
    return this.#wrapper
  }

  set wrapper(wrapper: string[]) {
    this.isReplaced = true
    this.#wrapper = wrapper
  }

  /** Compiles a text with what is around it; undefined if that is what Node puts there. */
  compiled(source: string, path: string): CommonJsCode | undefined {
    if (!this.isReplaced) return undefined
    const script = new vm.Script(this.#wrap(source), { filename: path, importModuleDynamically: BY_LOADER as never })
    return { run: script.runInThisContext(), usesDynamicImport: false, map: undefined }
  }
}
