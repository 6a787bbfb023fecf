/**
 * Builtins and shared modules as an `import` sees them, one per process.
 *
 * Invariant: exports keep the values they had at the first import, as in Node before
 * `syncBuiltinESMExports`. So an assignment to `fs.readFile` does not affect
 * `import { readFile }`. Those that differ between threads are read at each use.
 */
import { createNamespace, type Getter } from './record.ts'
import type { Target } from './resolve.ts'
import { definerFor } from './synthetic.ts'
import { Cells, type HostUnit, type Unit } from './unit.ts'

/** Exports that differ between the threads and processes of a program, or between executions. */
const LIVE: Readonly<Record<string, readonly string[]>> = {
  process: ['env', 'argv', 'execArgv', 'exitCode', 'stdin', 'stdout', 'stderr', 'pid', 'ppid'],
  cluster: [
    ...['isWorker', 'isMaster', 'isPrimary', 'Worker', 'workers', 'worker', 'settings', 'SCHED_NONE', 'SCHED_RR'],
    ...['schedulingPolicy', 'setupPrimary', 'setupMaster', 'fork', 'disconnect', '_setupWorker', '_getServer'],
    ...['_events', '_eventsCount', '_maxListeners'],
  ],
  domain: ['_stack', 'Domain', 'createDomain', 'create', 'active'],
  worker_threads: ['isMainThread', 'threadId', 'threadName', 'parentPort', 'workerData'],
}

/** Exports that only some processes of a program have. */
const SOMETIMES: Readonly<Record<string, readonly string[]>> = { cluster: ['worker', '_setupWorker', '_getServer'] }

/** Whether it is a builtin that each execution evaluates. */
export function isEvaluatedInEach(unit: Unit): boolean {
  return unit.kind === 'host' && unit.target.kind === 'builtin' && unit.target.id === 'domain'
}

export function hostUnit(target: Exclude<Target, { kind: 'file' }>): HostUnit {
  const shared = target.kind === 'shared'
  const exports = target.exports as Record<string, unknown>
  const values: Record<string, unknown> = Object.create(null)
  const live = target.kind === 'builtin' ? LIVE[target.id] : undefined
  const others = target.kind === 'builtin' ? (SOMETIMES[target.id] ?? []) : []
  for (const name of new Set([...Object.keys(exports), ...others])) {
    if (live?.includes(name)) {
      Object.defineProperty(values, name, { get: () => exports[name], enumerable: true })
      continue
    }
    try {
      values[name] = exports[name]
    } catch {
      values[name] = undefined
    }
  }
  if (!shared || !('default' in exports)) values.default = exports
  const exported = new Set(Object.keys(values))
  const isNamespace = (exports as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === 'Module'
  const getters = (): [string, Getter][] => [...exported].sort().map((name) => [name, () => values[name]])
  const path = shared ? target.specifier : `node:${target.id}`
  const unit: Omit<HostUnit, 'cells'> & { cells?: Cells } = { kind: 'host', path, names: exported, target }
  const source = { namespaceOf: () => (shared && isNamespace ? exports : createNamespace(getters())) }
  const cells = new Cells(source, unit as HostUnit)
  definerFor(exported)(cells, values)
  return Object.assign(unit, { cells })
}
