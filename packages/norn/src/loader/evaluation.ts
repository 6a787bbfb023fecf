/**
 * The evaluation order of modules.
 *
 * Follows Evaluate, InnerModuleEvaluation and AsyncModuleExecutionFulfilled of ECMAScript 16.2.1.5
 * step by step, so that cycles, failures and top-level await behave as in Node. Departs in two
 * points: without top-level await in the graph, the result is returned or thrown, not a promise;
 * and a module of an outer evaluation, reached again through `require`, counts as evaluated,
 * because it is on another stack.
 *
 * Invariant: an 'evaluated' record never changes; a failed one throws the same error each time.
 */
import type { ModuleRecord } from './record.ts'

let turns = 0

/** Evaluates a record and its dependencies. Returns a promise only if one is asynchronous. */
export function evaluate(
  record: ModuleRecord,
  dependencies: (record: ModuleRecord) => ModuleRecord[],
): void | Promise<void> {
  if (record.status === 'evaluating') return
  if (record.status !== 'linked') {
    const root = record.cycleRoot ?? record
    if (root.completion !== undefined) return root.completion.promise
    if (root.failed) throw root.error
    if (record.failed) throw record.error
    return
  }
  const stack: ModuleRecord[] = []
  try {
    inner(record, stack, 0, dependencies)
  } catch (error) {
    for (const each of stack) fail(each, error)
    throw error
  }
  if (record.asyncOrder > 0) {
    record.completion = Promise.withResolvers()
    return record.completion.promise
  }
}

function fail(record: ModuleRecord, error: unknown): void {
  record.status = 'evaluated'
  record.failed = true
  record.error = error
  record.stack = undefined
}

function inner(
  record: ModuleRecord,
  stack: ModuleRecord[],
  depth: number,
  dependencies: (record: ModuleRecord) => ModuleRecord[],
): number {
  if (record.status === 'evaluating') return depth
  if (record.status !== 'linked') {
    if (record.failed) throw record.error
    return depth
  }
  const { unit } = record
  if (unit.kind !== 'esm') {
    record.status = 'evaluating'
    try {
      record.body()
      record.status = 'evaluated'
    } catch (error) {
      fail(record, error)
      throw error
    }
    return depth
  }
  record.status = 'evaluating'
  record.stack = stack
  record.depth = record.lowestDepth = depth
  let next = depth + 1
  stack.push(record)
  for (const each of dependencies(record)) {
    next = inner(each, stack, next, dependencies)
    if (each.unit.kind !== 'esm') continue
    let required = each
    if (required.status === 'evaluating') {
      if (required.stack !== stack) continue
      record.lowestDepth = Math.min(record.lowestDepth, required.lowestDepth)
    } else {
      required = required.cycleRoot ?? required
      if (required.failed) throw required.error
    }
    if (required.asyncOrder > 0) {
      record.pending++
      required.asyncParents.push(record)
    }
  }
  if (record.pending > 0 || unit.shape.topLevelAwait) {
    record.asyncOrder = ++turns
    if (record.pending === 0) runAsync(record)
  } else record.body()
  if (record.lowestDepth === record.depth) {
    for (let each: ModuleRecord | undefined; each !== record; ) {
      each = stack.pop()!
      each.status = each.asyncOrder > 0 ? 'evaluating-async' : 'evaluated'
      each.cycleRoot = record
      each.stack = undefined
    }
  }
  return next
}

function runAsync(record: ModuleRecord): void {
  ;(record.body() as Promise<void>).then(
    () => fulfilled(record),
    (error: unknown) => rejected(record, error),
  )
}

function done(record: ModuleRecord): void {
  record.asyncOrder = -1
  record.status = 'evaluated'
  record.completion?.resolve()
}

function fulfilled(record: ModuleRecord): void {
  if (record.status === 'evaluated') return
  const available: ModuleRecord[] = []
  gather(record, available)
  done(record)
  for (const each of available.sort((a, b) => a.asyncOrder - b.asyncOrder)) {
    if (each.status === 'evaluated') continue
    if (each.unit.kind === 'esm' && each.unit.shape.topLevelAwait) {
      runAsync(each)
      continue
    }
    try {
      each.body()
    } catch (error) {
      rejected(each, error)
      continue
    }
    done(each)
  }
}

/** Collects the parents that waited for this record only. */
function gather(record: ModuleRecord, available: ModuleRecord[]): void {
  for (const parent of record.asyncParents) {
    if (available.includes(parent) || parent.cycleRoot?.failed) continue
    if (--parent.pending > 0) continue
    available.push(parent)
    if (parent.unit.kind === 'esm' && !parent.unit.shape.topLevelAwait) gather(parent, available)
  }
}

function rejected(record: ModuleRecord, error: unknown): void {
  if (record.status === 'evaluated') return
  fail(record, error)
  record.asyncOrder = -1
  for (const parent of record.asyncParents) rejected(parent, error)
  record.completion?.reject(error)
}
