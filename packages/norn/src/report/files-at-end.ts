/** Files that are left otherwise than by the nearest passing execution: what a race of writes has done. */
import type { FileChange } from '../contract/file-change.ts'
import { cut } from '../contract/text.ts'
import { printableLine } from './printable.ts'

const MAX_FILES = 4
const MAX_TEXT = 100
const PASSING = '  where it passes'

/** @returns two lines a file; empty if both leave the same */
export function filesAtEnd(failing: readonly FileChange[] = [], passing: readonly FileChange[] = []): string[] {
  const [left, otherwise] = [lastOf(failing), lastOf(passing)]
  const paths = [...new Set([...left.keys(), ...otherwise.keys()])].filter(
    (path) => left.has(path) !== otherwise.has(path) || left.get(path) !== otherwise.get(path),
  )
  const shown = paths.slice(0, MAX_FILES).map((path) => [printableLine(path), path] as const)
  const width = Math.max(PASSING.length, ...shown.map(([name]) => name.length))
  const lines = shown.flatMap(([name, path]) => [
    `${name.padEnd(width)}  ${contentText(left, path)}`,
    `${PASSING.padEnd(width)}  ${contentText(otherwise, path)}`,
  ])
  return paths.length > MAX_FILES ? [...lines, `and ${paths.length - MAX_FILES} more`] : lines
}

function lastOf(changes: readonly FileChange[]): ReadonlyMap<string, string | undefined> {
  return new Map(changes.map(({ path, text }) => [path, text]))
}

function contentText(contents: ReadonlyMap<string, string | undefined>, path: string): string {
  if (!contents.has(path)) return '(not written)'
  const text = contents.get(path)
  if (text === undefined) return '(removed)'
  return text === '' ? '(empty)' : cut(printableLine(text), MAX_TEXT)
}
