/** Where modules are found: beside the specification, in the library folders, and among those that norn brings. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MODULES_FOLDER, ownModule } from '../library/modules.ts'
import { readText } from '../read-text.ts'
import type { ModuleSyntax } from '../syntax/ast.ts'
import { parseModule } from '../syntax/parse.ts'
import type { Source } from '../syntax/span.ts'
import { meant } from './nearest.ts'

/** Its own modules are parsed once in a process. */
const parsed = new Map<string, ModuleSyntax>()

export interface LibraryOptions {
  /** Folders that are looked in after that of the specification, in order. */
  readonly library?: readonly string[]
  /** Files by name (`M.tla`) that stand for those on disk, and come first. */
  readonly files?: Readonly<Record<string, string>>
}

export class Library {
  readonly #folders: readonly string[]
  readonly #files: Readonly<Record<string, string>>
  readonly #root: Source

  /** @param root the source of the root module */
  constructor(root: Source, { library = [], files = {} }: LibraryOptions) {
    this.#root = root
    this.#folders = [dirname(root.path), ...library]
    this.#files = files
  }

  /** The source of the root module; undefined if there is none. */
  static root(path: string, { files = {} }: LibraryOptions): Source | undefined {
    for (const name of [path, basename(path)]) if (Object.hasOwn(files, name)) return { path, text: files[name]! }
    return read(path)
  }

  /** Finds a module by its name and parses it; undefined if there is none. @throws TlaError if it does not parse */
  find(name: string): ModuleSyntax | undefined {
    const file = `${name}.tla`
    const text = Object.hasOwn(this.#files, file) ? this.#files[file] : undefined
    if (text !== undefined) return parseModule({ path: file, text })
    for (const folder of this.#folders) {
      const source = read(join(folder, file))
      if (source !== undefined) return parseModule(source)
    }
    return findOwn(name) ?? this.#findInRoot(name)
  }

  /** A module that stands in the file of the root module, after it. */
  #findInRoot(name: string): ModuleSyntax | undefined {
    if (!new RegExp(`^[ \\t]*-{4,}[ \\t]*MODULE[ \\t]+${name}\\b`, 'm').test(this.#root.text)) return undefined
    return parseModule(this.#root, name)
  }

  /** For messages: why a module is not found. */
  explain(name: string): string {
    const folders = this.#folders.map((folder) => `\`${folder}\``).join(', ')
    return (
      `there is no module \`${name}\`: looked for \`${name}.tla\` in ${folders} and among the modules of norn` +
      meant(name, this.#names())
    )
  }

  *#names(): Iterable<string> {
    for (const file of Object.keys(this.#files)) yield basename(file, '.tla')
    for (const folder of [...this.#folders, MODULES_FOLDER]) {
      if (!existsSync(folder)) continue
      // Not the root module, which is hardly the one that it needs.
      const root = basename(this.#root.path)
      for (const file of readdirSync(folder).sort())
        if (file.endsWith('.tla') && file !== root) yield basename(file, '.tla')
    }
  }
}

/** A file; undefined if there is none. @throws TlaError if it cannot be read */
function read(path: string): Source | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
  return { path, text: readText(path, 'semantics') }
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

/** Modules of norn that people mean first, where several define a name. */
const FIRST = ['Naturals', 'Integers', 'Sequences', 'FiniteSets', 'TLC', 'Bags']

/** The module of norn that defines a name, for those who forgot to extend it. Reads them all: for errors only. */
export function ownModuleThatDefines(name: string): string | undefined {
  const others = existsSync(MODULES_FOLDER) ? readdirSync(MODULES_FOLDER).sort() : []
  const modules = new Set([...FIRST, ...others.map((file) => basename(file, '.tla'))])
  for (const module of modules) {
    const units = findOwn(module)?.units ?? []
    if (
      units.some(
        (unit) => (unit.kind === 'operator' || unit.kind === 'function') && !unit.local && unit.name.name === name,
      )
    ) {
      return module
    }
  }
  return undefined
}
