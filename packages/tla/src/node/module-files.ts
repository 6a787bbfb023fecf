/** Modules in files: beside the specification, then in the library folders. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { TlaError } from '../error/error.ts'
import type { Source } from '../error/span.ts'
import type { ModuleSource } from '../semantics/library.ts'
import { loadModule as loadSource } from '../semantics/load.ts'
import type { Module } from '../semantics/term.ts'
import { readText } from './read-text.ts'

export interface ModuleFilesOptions {
  /** Folders to look for modules in, after that of the specification. */
  readonly library?: readonly string[]
  /** Files by name (`M.tla`, `M.cfg`) that replace those on disk. */
  readonly files?: Readonly<Record<string, string>>
}

/**
 * Reads a module and all modules it needs: from its folder, then the library folders, then norn's
 * own modules.
 *
 * @param path of the file, with or without `.tla`
 * @throws TlaError of the kinds `syntax` and `semantics`
 */
export function loadModule(path: string, options: ModuleFilesOptions = {}): Module {
  const root = rootSource(path, options) ?? rootSource(`${path}.tla`, options)
  if (root === undefined) throw new TlaError('semantics', `there is no file \`${path}\``)
  return loadSource(root, moduleFiles(root, options))
}

function rootSource(path: string, { files = {} }: ModuleFilesOptions): Source | undefined {
  for (const name of [path, basename(path)]) if (Object.hasOwn(files, name)) return { path, text: files[name]! }
  return read(path)
}

function moduleFiles({ path }: Source, { library = [], files = {} }: ModuleFilesOptions): ModuleSource {
  const folders = [dirname(path), ...library]
  return {
    find(name) {
      const file = `${name}.tla`
      if (Object.hasOwn(files, file)) return { path: file, text: files[file]! }
      for (const folder of folders) {
        const source = read(join(folder, file))
        if (source !== undefined) return source
      }
      return undefined
    },
    *names() {
      for (const file of Object.keys(files)) yield basename(file, '.tla')
      for (const folder of folders) {
        if (!existsSync(folder)) continue
        for (const file of readdirSync(folder).sort()) {
          // The root module is hardly the one that it needs.
          if (file.endsWith('.tla') && file !== basename(path)) yield basename(file, '.tla')
        }
      }
    },
    places: `in ${folders.map((folder) => `\`${folder}\``).join(', ')}`,
  }
}

/** A file; undefined if there is none. @throws TlaError if it cannot be read */
function read(path: string): Source | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
  return { path, text: readText(path, 'semantics') }
}
