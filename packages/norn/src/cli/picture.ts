/** The diagram of an execution as an SVG file. */

import { dirname, extname, relative, resolve } from 'node:path'
import type { ExecutionResult } from '../contract/execution.ts'
import type { Explanation } from '../contract/explanation.ts'
import type { Diagram } from '../report/diagram/diagram.ts'
import { interleaving } from '../report/diagram/interleaving.ts'
import { inOneLine, spaceTime } from '../report/diagram/space-time.ts'
import { diagramSvg, SVG_ROOM } from '../report/diagram/svg.ts'
import { nearestText } from '../report/nearest.ts'
import { PLAIN } from '../report/style.ts'
import { removeLeftovers, systemReason, writeAtomically } from '../storage/files.ts'
import { UsageError } from './exit-status.ts'

export interface Pictured {
  readonly property: string
  readonly result: ExecutionResult
  readonly explanation: Explanation | undefined
}

/**
 * Draws a failure of a cluster, or over connections, beside its file, and returns the path, relative to
 * the root; undefined if it has no such diagram or the file cannot be written, which must not end a
 * search.
 *
 * @param saved path of the failure's file, from the root, if it could be saved
 */
export function drawBeside(root: string, saved: string | undefined, pictured: Pictured): string | undefined {
  const diagram = saved === undefined ? undefined : diagramOf(pictured)
  // The terminal shows the few columns of other programs as well.
  if (saved === undefined || diagram === undefined || diagram.columns === 'chains') return undefined
  const path = resolve(root, saved.replace(/\.json$/, '.svg'))
  try {
    write(path, diagram, pictured.property)
    return relative(root, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

/** @throws UsageError if the execution has no diagram, or the file cannot be written */
export function drawInto(path: string, pictured: Pictured): void {
  const diagram = diagramOf(pictured)
  if (diagram === undefined) {
    throw new UsageError(`--svg draws the steps of an execution, but '${pictured.property}' has none`)
  }
  try {
    write(path, diagram, pictured.property)
  } catch (error) {
    const reason = systemReason(error)
    if (reason === undefined) throw error
    throw new UsageError(`--svg: cannot write ${path}: ${reason}`)
  }
}

/** Writes atomically. */
function write(path: string, diagram: Diagram, property: string): void {
  removeLeftovers(dirname(path), `${extname(path)}.`, '.tmp')
  writeAtomically(path, diagramSvg(diagram, property))
}

/** Undefined for an execution without steps. */
function diagramOf({ result, explanation }: Pictured): Diagram | undefined {
  const { cluster, failure, choices, inputText = '' } = result
  if (cluster !== undefined) return spaceTime(cluster, failure, { room: SVG_ROOM, details: true })
  if (explanation === undefined || explanation.trace.length === 0) return undefined
  const { nearest } = explanation
  const difference = nearest && nearestText({ ...explanation, inputText }, nearest, PLAIN)?.difference
  const schedule = choices?.schedule ?? []
  return interleaving({ ...explanation, schedule, difference, failure: failure && inOneLine(failure) })
}
