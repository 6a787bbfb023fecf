/** `--until-frames FOLDER`: assigns key frames to the clusters of the call. */

import { resolve } from 'node:path'
import { FramesFileError, readFramesFolder } from '../cluster/frames/key-frames.ts'
import type { KeyFramesData } from '../contract/key-frames.ts'
import { kindOf } from '../domains/kinds.ts'
import type { Target } from '../session/targets.ts'
import { UsageError } from './exit-status.ts'

/** A folder; true for only the key frames that clusters declare themselves. */
export type UntilFrames = string | true

/**
 * The key frames of files for each target that is a cluster.
 *
 * @param selected whether `--property` selects some properties: then frames of others are ignored
 * @throws UsageError if frames belong to no cluster of the call, or may belong to several
 */
export function framesFor(
  until: UntilFrames,
  targets: readonly Target[],
  selected: boolean,
): ReadonlyMap<Target, readonly KeyFramesData[]> {
  const clusters = targets.filter(({ property }) => kindOf(property.kind).hasSteps)
  if (clusters.length === 0) throw new UsageError('--until-frames needs a cluster, but the files declare none')
  const all = until === true ? [] : readFolder(until)
  const byTarget = new Map(clusters.map((target) => [target, [] as KeyFramesData[]]))
  const names = clusters.map(({ property }) => `'${property.name}'`).join(', ')
  for (const frames of all) {
    const { name, cluster } = frames
    if (cluster === undefined && clusters.length > 1)
      throw new UsageError(`key frames "${name}": set "cluster" to one of ${names}`)
    const its = cluster === undefined ? clusters : clusters.filter(({ property }) => property.name === cluster)
    if (its.length === 0 && !selected)
      throw new UsageError(`key frames "${name}": no cluster '${cluster}' is declared; declared: ${names}`)
    for (const target of its) byTarget.get(target)!.push(frames)
  }
  return byTarget
}

function readFolder(folder: string): readonly KeyFramesData[] {
  try {
    return readFramesFolder(resolve(folder))
  } catch (error) {
    if (error instanceof FramesFileError) throw new UsageError(error.message)
    throw error
  }
}
