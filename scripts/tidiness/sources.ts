/**
 * The source files of a tree, and the files that each names: by an import, or by any string that is
 * a path to one.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

interface Reference {
  /** Path of the file that is named, relative to the root. */
  readonly to: string
  readonly line: number
  /** As it is written. */
  readonly specifier: string
}

export interface SourceFile {
  /** Relative to the root. */
  readonly path: string
  readonly lines: readonly string[]
  readonly references: readonly Reference[]
  /** Modules that are no files of the tree: `node:fs`, `commander`. */
  readonly modules: readonly { readonly name: string; readonly line: number }[]
}

/** A broken rule, and where. */
export interface Problem {
  /** `path:line`, or a path. */
  readonly where: string
  readonly what: string
}

const RELATIVE = /(['"`])(\.{1,2}\/[^'"`\n]*)\1/g
const MODULE = /(?:^(?:import|export)\b[^'"]*?|^\} from |\bimport\(|\brequire\()['"]([^.'"][^'"]*)['"]/g
const COMMENT = /^\s*(?:\/\/|\/?\*)/
const SKIPPED = new Set(['node_modules', 'dist', 'fixtures', '.git'])

/** @param folders relative to the root; those that do not exist are skipped */
export function readSources(root: string, folders: readonly string[]): SourceFile[] {
  const paths = folders.flatMap((folder) => [...filesBelow(join(root, folder))])
  return paths.map((path) => {
    const lines = readFileSync(path, 'utf8').split('\n')
    const references: Reference[] = []
    const modules: { name: string; line: number }[] = []
    for (const [index, line] of lines.entries()) {
      for (const [, , specifier = ''] of line.matchAll(RELATIVE)) {
        const to = fileAt(resolve(dirname(path), specifier))
        if (to !== undefined) references.push({ to: relative(root, to), line: index + 1, specifier })
      }
      if (COMMENT.test(line)) continue
      for (const [, name = ''] of line.matchAll(MODULE)) modules.push({ name, line: index + 1 })
    }
    return { path: relative(root, path), lines, references, modules }
  })
}

/** The source file of a path, also where the path names what it compiles to. */
function fileAt(path: string): string | undefined {
  const source = path.replace(/\.js$/, '.ts')
  return /\.tsx?$/.test(source) && existsSync(source) ? source : undefined
}

function* filesBelow(folder: string): Generator<string> {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder).sort()) {
    if (SKIPPED.has(name)) continue
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* filesBelow(path)
    else if (/\.(?:m?ts|tsx)$/.test(name)) yield path
  }
}
