/** Cycles of imports between files. */
import type { Problem, SourceFile } from './sources.ts'

/**
 * The files of each cycle, as strongly connected components (Tarjan 1972), in the order of their
 * paths.
 */
function importCycles(files: readonly SourceFile[]): string[][] {
  const uses = new Map(files.map(({ path, references }) => [path, references.map(({ to }) => to)]))
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (path: string) => {
    index.set(path, index.size)
    low.set(path, index.get(path)!)
    stack.push(path)
    for (const to of uses.get(path) ?? []) {
      if (!uses.has(to)) continue
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(path, Math.min(low.get(path)!, low.get(to)!))
    }
    if (low.get(path) !== index.get(path)) return
    const component = stack.splice(stack.indexOf(path))
    if (component.length > 1) cycles.push(component.sort())
  }
  for (const path of uses.keys()) if (!index.has(path)) visit(path)
  return cycles
}

export function brokenCycles(files: readonly SourceFile[]): Problem[] {
  return importCycles(files).map((cycle) => ({
    where: cycle[0]!,
    what: `imports itself through ${cycle.slice(1).join(', ')}`,
  }))
}
