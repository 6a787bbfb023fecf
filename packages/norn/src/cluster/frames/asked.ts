/**
 * The key frames that the campaign of this process asks for: those of files, beside those that a
 * cluster declares. Executions watch them, and nobody else's; where none are asked for nothing is
 * watched.
 *
 * Modules of a file are instantiated anew for each execution; this one is norn's, and stays.
 */
import type { KeyFramesData } from '../../contract/key-frames.ts'
import type { ClusterOptions } from '../definition.ts'
import { compileFrames, type KeyFrames } from './key-frames.ts'

let asked: readonly KeyFrames[] | undefined
let proposing = false

/** Whether executions are to propose key frames. */
export function proposeFrames(wanted: boolean): void {
  proposing = wanted
}

export function isProposing(): boolean {
  return proposing
}

/** @param files undefined if none are asked for, of files or others */
export function askForFrames(files: readonly KeyFramesData[] | undefined): void {
  asked = files?.map(compileFrames)
}

/**
 * What executions of a cluster are to watch; undefined if nothing is asked for. Of two of one name
 * the file's counts.
 */
export function framesAskedOf({ frames = [] }: ClusterOptions): readonly KeyFrames[] | undefined {
  if (asked === undefined) return undefined
  const names = new Set(asked.map(({ name }) => name))
  return [...asked, ...frames.filter(({ name }) => !names.has(name))]
}
