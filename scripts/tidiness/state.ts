/**
 * Variables of modules. One lives as long as the process: executions, tests and workers of a process
 * share it, and no parameter shows that a function depends on it.
 */
import type { Problem, SourceFile } from './sources.ts'

/** Those that exist, by the name of their file. The list only shrinks. */
const KNOWN: Readonly<Record<string, number>> = {
  'assertion-source.ts': 1,
  'blocking-waits.ts': 2,
  'callback-scope.ts': 1,
  'canonical.ts': 1,
  'clock-library.ts': 1,
  'column.ts': 2,
  'comparable.ts': 2,
  'context.ts': 1,
  'coverage.ts': 1,
  'current.ts': 1,
  'drawing.ts': 1,
  'evaluated-imports.ts': 1,
  'evaluation.ts': 1,
  'filters.ts': 2,
  'function-text.ts': 2,
  'heap.ts': 1,
  'kept.ts': 1,
  'macrotask.ts': 1,
  'node-internals.ts': 1,
  'origin.ts': 1,
  'outside.ts': 1,
  'page-script.ts': 1,
  'pipes.ts': 1,
  'process.ts': 1,
  'property.ts': 2,
  'reachable.ts': 2,
  'search.ts': 1,
  'shared-objects.ts': 2,
  'suites.ts': 1,
  'supervisor-thread.ts': 1,
  'supervisor.ts': 1,
  'test-file.ts': 1,
}

const VARIABLE = /^(?:export )?let (\w+)/

export function variablesOfModules(
  files: readonly SourceFile[],
  known: Readonly<Record<string, number>> = KNOWN,
): Problem[] {
  const problems: Problem[] = []
  const missing = new Map(Object.entries(known))
  for (const { path, lines } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const found = lines.flatMap((line, index) => (VARIABLE.test(line) ? [index + 1] : []))
    if (found.length === 0) continue
    const allowed = missing.get(name) ?? 0
    for (const line of found.slice(allowed))
      problems.push({
        where: `${path}:${line}`,
        what: `${VARIABLE.exec(lines[line - 1]!)![1]} is a variable of the module`,
      })
    missing.set(name, Math.max(0, allowed - found.length))
  }
  for (const [name, count] of missing) {
    if (count === 0) continue
    problems.push({
      where: 'scripts/tidiness/state.ts',
      what: `${name} has ${count} fewer than listed: correct its row`,
    })
  }
  return problems
}
