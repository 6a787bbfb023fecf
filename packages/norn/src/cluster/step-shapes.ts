/**
 * The numbers of steps by the shape of the cluster: the same in all its executions, so they are
 * made once.
 */
import type { ClusterOptions } from './definition.ts'
import { StepCodes } from './steps.ts'
import type { NodeId } from './system.ts'

/** A process has a few clusters, and so a few shapes. */
const MAX_SHAPES = 64
const CODES = new Map<string, StepCodes>()

export function codesOf({ network = {}, faults = {} }: ClusterOptions, nodes: readonly NodeId[]): StepCodes {
  const has = [faults.duplicates, faults.drops, faults.crashes, faults.partitions].map((quota) => (quota ?? 0) > 0)
  const shape = JSON.stringify([nodes, network.order, network.perStep, has])
  let codes = CODES.get(shape)
  if (codes === undefined) {
    if (CODES.size >= MAX_SHAPES) CODES.clear()
    CODES.set(shape, (codes = new StepCodes({ nodes, network, faults })))
  }
  return codes
}
