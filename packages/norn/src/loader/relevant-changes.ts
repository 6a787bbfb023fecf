/**
 * Whether the changes of an execution can have an effect on what a specifier leads to. Most have none:
 * a program that writes data, and loads code later, resolves as fast as before.
 *
 * Invariant: errs towards an effect. Node looks for a module at the specifier's path with other
 * endings, below it, in `node_modules` and in package.json files; a change of a folder on the way
 * has an effect too.
 */
import { dirname, isAbsolute, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadedModules } from './loaded-modules.ts'
import { folderOf } from './paths.ts'
import type { ProgramFiles } from './program-files.ts'
import type { Resolver, Target } from './resolve.ts'

/** With more changes, all count. */
const CHECKED = 200

export class RelevantChanges {
  readonly #files: ProgramFiles
  #count = 0
  #paths: readonly string[] = []
  #ofPackages = false

  constructor(files: ProgramFiles) {
    this.#files = files
  }

  /** Whether packages may have changed. */
  get ofPackages(): boolean {
    this.#refresh()
    return this.#ofPackages
  }

  /** Whether what a specifier led to on the disk may not be what it leads to now. */
  affect(specifier: string, importer: string, found: string): boolean {
    this.#refresh()
    if (this.#ofPackages || this.#count > CHECKED) return true
    const asked = pathAsked(specifier, importer)?.replace(/\.[^./]*$/, '')
    return this.#paths.some((path) => {
      if (dirname(path) === dirname(found) || (asked !== undefined && path.startsWith(asked))) return true
      return [importer, found, asked].some((each) => each !== undefined && isWithin(each, path))
    })
  }

  #refresh(): void {
    const count = this.#files.changes()
    if (count === this.#count) return
    this.#count = count
    this.#paths = count > CHECKED ? [] : this.#files.changedPaths()
    this.#ofPackages = count > CHECKED || this.#paths.some((path) => PACKAGES.test(path))
  }
}

/** The places in which Node looks for packages. */
const PACKAGES = /[/](node_modules|package[.]json)([/]|$)/

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep)

function pathAsked(specifier: string, importer: string): string | undefined {
  if (isAbsolute(specifier)) return specifier
  if (/^\.{1,2}(\/|$)/.test(specifier)) return resolve(folderOf(importer), specifier.replace(/[?#].*$/, ''))
  return specifier.startsWith('file:') ? fileURLToPath(specifier) : undefined
}

/** What the disk answers, where that is right although files changed. */
export class DiskAnswers {
  readonly #disk: Resolver
  readonly changes: RelevantChanges
  readonly #loaded: LoadedModules

  constructor(disk: Resolver, changes: RelevantChanges, loaded: LoadedModules) {
    this.#disk = disk
    this.changes = changes
    this.#loaded = loaded
  }

  find(kind: 'import' | 'require', specifier: string, importer: string): Target | undefined {
    let target: Target
    try {
      target = this.#disk[kind](specifier, importer)
    } catch {
      return undefined // The program may have written the module.
    }
    if (target.kind !== 'file') return target
    const { path, search } = target
    if (!this.changes.affect(specifier, importer, path)) return target
    // As in Node, an answer from before the change stays.
    const stays =
      kind === 'require'
        ? this.#loaded.isRequired(path)
        : this.#loaded.hasImported(specifier, importer) && this.#loaded.get(path, search) !== undefined
    return stays ? target : undefined
  }
}
