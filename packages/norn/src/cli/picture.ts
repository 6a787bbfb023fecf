/** The diagram of a cluster's execution as an SVG file. */
import { dirname, extname, relative, resolve } from 'node:path'
import type { ExecutionResult } from '../contract/execution.ts'
import { spaceTimeOf } from '../report/space-time-rows.ts'
import { spaceTimeSvg } from '../report/space-time-svg.ts'
import { removeLeftovers, systemReason, writeAtomically } from '../storage/files.ts'
import { UsageError } from './exit-status.ts'

export interface Pictured {
  readonly property: string
  readonly result: ExecutionResult
}

/**
 * Draws a failure beside its file, and returns the path, relative to the root; undefined if it has
 * no diagram or the file cannot be written, which must not end a search.
 *
 * @param saved path of the failure's file, from the root, if it could be saved
 */
export function drawBeside(root: string, saved: string | undefined, pictured: Pictured): string | undefined {
  if (saved === undefined || pictured.result.cluster === undefined) return undefined
  const path = resolve(root, saved.replace(/\.json$/, '.svg'))
  try {
    write(path, pictured)
    return relative(root, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

/** @throws UsageError if the execution has no diagram, or the file cannot be written */
export function drawInto(path: string, pictured: Pictured): void {
  if (pictured.result.cluster === undefined) {
    throw new UsageError(`--svg draws clusters, but '${pictured.property}' is not a cluster`)
  }
  try {
    write(path, pictured)
  } catch (error) {
    const reason = systemReason(error)
    if (reason === undefined) throw error
    throw new UsageError(`--svg: cannot write ${path}: ${reason}`)
  }
}

/** Writes atomically. */
function write(path: string, { property, result }: Pictured): void {
  const svg = spaceTimeSvg({ ...spaceTimeOf(result.cluster!, result.failure), title: property })
  removeLeftovers(dirname(path), `${extname(path)}.`, '.tmp')
  writeAtomically(path, svg)
}
