/**
 * Finds modules by name: those given with the specification, then norn's own, then those in the
 * file of the root module.
 */

import type { Source } from '../error/span.ts'
import { OWN_MODULES, ownModule } from '../library/modules.ts'
import type { ModuleSyntax } from '../syntax/ast.ts'
import { parseModule } from '../syntax/parse.ts'
import { meant } from './nearest.ts'

/** Own modules are parsed once per process. */
const parsed = new Map<string, ModuleSyntax>()

/** The modules given with a specification: files in folders, or texts in memory. */
export interface ModuleSource {
  /** @returns undefined if there is no such module @throws TlaError if it cannot be read */
  find(name: string): Source | undefined
  /** All names, for messages. */
  names(): Iterable<string>
  /** Where modules are looked for, for messages: `in \`specs\``. */
  readonly places: string
}

/** Modules given as texts, by name. */
export function modulesInMemory(texts: Readonly<Record<string, string>>): ModuleSource {
  return {
    find: (name) => (Object.hasOwn(texts, name) ? { path: `${name}.tla`, text: texts[name]! } : undefined),
    names: () => Object.keys(texts),
    places: 'among the given modules',
  }
}

export class Library {
  readonly #modules: ModuleSource
  readonly #root: Source

  /** @param root the source of the root module */
  constructor(root: Source, modules: ModuleSource) {
    this.#root = root
    this.#modules = modules
  }

  /**
   * Finds a module by its name and parses it; undefined if there is none.
   * @throws TlaError if it does not parse
   */
  find(name: string): ModuleSyntax | undefined {
    const source = this.#modules.find(name)
    return source === undefined ? (findOwn(name) ?? this.#findInRoot(name)) : parseModule(source)
  }

  /** A module in the file of the root module, after it. */
  #findInRoot(name: string): ModuleSyntax | undefined {
    if (!new RegExp(`^[ \\t]*-{4,}[ \\t]*MODULE[ \\t]+${name}\\b`, 'm').test(this.#root.text)) return undefined
    return parseModule(this.#root, name)
  }

  /** For messages: why a module is not found. */
  explain(name: string): string {
    const names = [...this.#modules.names(), ...OWN_MODULES]
    return (
      `module \`${name}\` not found: looked for \`${name}.tla\` ${this.#modules.places} and among norn's modules` +
      meant(name, names)
    )
  }
}

function findOwn(name: string): ModuleSyntax | undefined {
  const known = parsed.get(name)
  if (known !== undefined) return known
  const source = ownModule(name)
  if (source === undefined) return undefined
  const module = parseModule(source)
  parsed.set(name, module)
  return module
}

/** The likeliest own modules, where several define a name. */
const FIRST = ['Naturals', 'Integers', 'Sequences', 'FiniteSets', 'TLC', 'Bags']

/**
 * The own module that defines a name, where EXTENDS was forgotten. Reads all of them: for errors
 * only.
 */
export function ownModuleThatDefines(name: string): string | undefined {
  return [...new Set([...FIRST, ...OWN_MODULES])].find((module) =>
    findOwn(module)?.units.some(
      (unit) => (unit.kind === 'operator' || unit.kind === 'function') && !unit.local && unit.name.name === name,
    ),
  )
}
