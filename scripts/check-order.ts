/**
 * Holds the folder order of `src/`: a folder may import only from itself and from folders above it in ORDER.
 *
 * Files that stand directly in `src/` are the package's ways in and may import from anywhere; no folder may import
 * from them. Exits 1 and names every offending line.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ORDER = ['contract', 'tape', 'schedule', 'search', 'shrink', 'model', 'loader', 'world', 'property', 'frameworks', 'cluster', 'process', 'storage', 'session', 'report', 'tla', 'cli', 'runners']

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"](\.{1,2}\/[^'"]+)['"]/g

const source = resolve(dirname(fileURLToPath(import.meta.url)), '..', 'packages', 'norn', 'src')

function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* filesBelow(path)
    else if (path.endsWith('.ts')) yield path
  }
}

/** The folder of `src/` that a path stands in, or undefined for a file directly in `src/`. */
function folderOf(path: string): string | undefined {
  const parts = relative(source, path).split(sep)
  return parts.length > 1 ? parts[0] : undefined
}

const problems: string[] = []
let checked = 0
for (const path of filesBelow(source)) {
  const from = folderOf(path)
  if (from === undefined) continue
  const place = ORDER.indexOf(from)
  const where = (line: number) => `${relative(process.cwd(), path)}:${line}`
  if (place < 0) problems.push(`${where(1)}: folder src/${from} has no place in the order of scripts/check-order.ts`)
  const lines = readFileSync(path, 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    for (const match of line.matchAll(IMPORT)) {
      checked++
      const to = folderOf(resolve(dirname(path), match[1]!))
      if (to === undefined) problems.push(`${where(index + 1)}: imports a way in, ${match[1]}`)
      else if (ORDER.indexOf(to) > place) problems.push(`${where(index + 1)}: src/${from} stands above src/${to}`)
    }
  }
}
if (problems.length > 0) {
  console.error(`${problems.join('\n')}\nA folder imports only from those above it: ${ORDER.join(', ')}.`)
  process.exit(1)
}
console.log(`folder order holds (${checked} imports)`)
