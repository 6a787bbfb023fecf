/**
 * Builds the harness, around the library or around a mutant of it.
 *
 * Invariant: beside each binary stands a hash of all that it was built from; a binary with the right
 * hash is not built again.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binaryOf } from './binary.ts'
import type { Mutant } from './mutant.ts'
import { build, LIBRARY } from './toolchain.ts'

const SOURCES = join(import.meta.dirname, 'harness')

/** Builds the harness unless it is up to date. @param mutant default: the library itself */
export function buildHarness(mutant?: Mutant): void {
  const binary = binaryOf(mutant?.name)
  const stamp = `${binary}.hash`
  const hash = hashOf(mutant)
  if (existsSync(binary) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  mkdirSync(dirname(binary), { recursive: true })
  rmSync(stamp, { force: true })
  build(SOURCES, binary, mutant && overlayOf(mutant, binary))
  writeFileSync(stamp, hash)
}

function hashOf(mutant: Mutant | undefined): string {
  const hash = createHash('sha256').update(JSON.stringify(mutant?.edits ?? []))
  for (const folder of [SOURCES, LIBRARY]) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const sources = files.filter((file) => file.endsWith('.go') && !file.endsWith('_test.go')).sort()
    for (const file of sources) hash.update(file).update(readFileSync(join(folder, file)))
  }
  return hash.digest('hex')
}

/** Writes the mutant's version of each file, and what `go build -overlay` reads. */
function overlayOf({ name, edits }: Mutant, binary: string): string {
  const folder = `${binary}.overlay`
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
  const paths = [...replaced].map(([file, text]) => {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return [join(LIBRARY, file), path]
  })
  const overlay = join(folder, 'overlay.json')
  writeFileSync(overlay, JSON.stringify({ Replace: Object.fromEntries(paths) }))
  return overlay
}
