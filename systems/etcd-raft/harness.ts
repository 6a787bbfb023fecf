/**
 * Builds the harness, around the library or around a mutant of it.
 *
 * Invariant: beside each binary stands a hash of all that it was built from; a binary with the right
 * hash is not built again.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { binaryOf } from './binary.ts'
import type { Mutant } from './mutant.ts'
import { build, countHits, LIBRARY } from './toolchain.ts'

const SOURCES = join(import.meta.dirname, 'harness')

/**
 * Builds the harness unless it is up to date.
 *
 * @param mutant default: the library itself
 * @param isCovered whether answers hold the hits of the library's blocks (`coverage` of the protocol)
 * @returns the path of the binary
 */
export function buildHarness(mutant?: Mutant, isCovered = false): string {
  const binary = binaryOf(mutant?.name, isCovered)
  const stamp = `${binary}.hash`
  const hash = hashOf(mutant)
  if (existsSync(binary) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return binary
  mkdirSync(dirname(binary), { recursive: true })
  rmSync(stamp, { force: true })
  const folder = `${binary}.overlay`
  const replaced = new Map(mutant && mutated(mutant, folder))
  if (isCovered) cover(replaced, folder)
  build(SOURCES, binary, replaced.size === 0 ? undefined : overlayOf(replaced, folder))
  writeFileSync(stamp, hash)
  return binary
}

function hashOf(mutant: Mutant | undefined): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(mutant?.edits ?? []))
    .update(readFileSync(import.meta.filename))
  for (const folder of [SOURCES, LIBRARY]) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const sources = files.filter((file) => file.endsWith('.go') && !file.endsWith('_test.go')).sort()
    for (const file of sources) hash.update(file).update(readFileSync(join(folder, file)))
  }
  return hash.digest('hex')
}

/** Writes the mutant's version of each file. Returns pairs of a path and that of its version. */
function mutated({ name, edits }: Mutant, folder: string): [string, string][] {
  const replaced = new Map<string, string>()
  for (const { file, before, after } of edits) {
    const text = replaced.get(file) ?? readFileSync(join(LIBRARY, file), 'utf8')
    const parts = text.split(before)
    if (parts.length !== 2)
      throw new Error(
        `mutant ${name}: expected its text once in ${join(LIBRARY, file)}, found it ${parts.length - 1} times`,
      )
    replaced.set(file, parts.join(after))
  }
  return [...replaced].map(([file, text]) => [join(LIBRARY, file), written(folder, file, text)])
}

/** The packages of the library whose blocks are counted: not those that encode messages. */
const COUNTED = ['raft', 'raft/confchange', 'raft/quorum', 'raft/tracker']

/** Replaces each file of the library by one that counts, and the harness's list of counters. */
function cover(replaced: Map<string, string>, folder: string): void {
  const counts: string[] = []
  for (const name of COUNTED) {
    const sources = join(dirname(LIBRARY), name)
    const files = readdirSync(sources).filter((file) => file.endsWith('.go') && !file.endsWith('_test.go'))
    for (const file of files.sort()) {
      const path = join(sources, file)
      const counting = written(join(folder, 'counting', name), file, '')
      const variable = `NornCounted${counts.length}`
      countHits(replaced.get(path) ?? path, variable, counting)
      writeFileSync(counting, withoutSorts(readFileSync(counting, 'utf8')))
      replaced.set(path, counting)
      counts.push(`${basename(name)}.${variable}.Count[:]`)
    }
  }
  const imports = COUNTED.map((name) => `import "go.etcd.io/etcd/${name}"`)
  const list = ['package main', ...imports, `var counted = [][]uint32{${counts.join(', ')}}`, '']
  replaced.set(join(SOURCES, 'counted.go'), written(folder, 'counted.go', list.join('\n')))
}

/** How often a sort of the keys of a map compares and swaps depends on the order of the map, which Go draws anew. */
function withoutSorts(text: string): string {
  const withoutCounts = (part: string) => part.replaceAll(/NornCounted\d+\.Count\[\d+\]\+\+;?/g, '')
  return text
    .replaceAll(/^func insertionSort\(.*?^\}$/gms, withoutCounts)
    .replaceAll(/func\(i, j int\) bool \{[^}]*\}/g, withoutCounts)
}

/** Writes what `go build -overlay` reads. */
function overlayOf(replaced: ReadonlyMap<string, string>, folder: string): string {
  return written(folder, 'overlay.json', JSON.stringify({ Replace: Object.fromEntries(replaced) }))
}

function written(folder: string, file: string, text: string): string {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}
