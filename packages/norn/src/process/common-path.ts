/** The call path that samples of a stack share: where a program is that does not return. */
import type { Frame } from '../contract/execution.ts'

/**
 * From the outermost frame inward: as long as all stacks are in the same function, at its most frequent place. So
 * the innermost function is the one that does not return.
 *
 * @param stacks each innermost first
 */
export function commonPath(stacks: readonly (readonly Frame[])[]): readonly Frame[] {
  const paths = stacks.filter((each) => each.length > 0).map((each) => each.toReversed())
  const common: Frame[] = []
  for (;;) {
    const frames = paths.flatMap((each) => each[common.length] ?? [])
    const [first] = frames
    const isShared = frames.length === paths.length && frames.every((each) => isSameFunction(each, first!))
    if (first === undefined || !isShared) return common.reverse()
    common.push(mostFrequent(frames))
  }
}

function isSameFunction(one: Frame, other: Frame): boolean {
  return one.file === other.file && one.functionName === other.functionName
}

function mostFrequent(frames: readonly Frame[]): Frame {
  const counts = new Map<string, { readonly frame: Frame; count: number }>()
  for (const frame of frames) {
    const key = `${frame.line}:${frame.column}`
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { frame, count: 1 })
    else known.count++
  }
  return [...counts.values()].reduce((best, each) => (each.count > best.count ? each : best)).frame
}
