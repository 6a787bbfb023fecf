/** The passes that delete parts of the input: runs of sibling spans, runs of choices. */
import { type Choice, isSimplest } from '../contract/choice.ts'
import type { Shrinker } from './shrinker.ts'
import { replaced, type Siblings, type SpanNode, siblings } from './span-tree.ts'
import { distance, nearer } from './values.ts'

/** Choices tried as the count of one run. */
const MAX_COUNTS = 6

/**
 * Deletes runs of sibling spans: all of them, then halves, down to single ones.
 *
 * The choice that counts the run is lowered with it; otherwise the deleted items would be drawn
 * again from the choices that follow. No record says which choice that is, so it is searched for
 * before the run, in the spans around it from the inside out, the nearest first. Where none fits
 * (such as the rejected attempts of a filter) the run is deleted alone.
 */
export async function deleteSpans(shrinker: Shrinker): Promise<void> {
  for (let group = 0; ; group++) {
    const members = () => siblings(shrinker.spans)[group]?.members
    const count = members()?.length
    if (count === undefined) return
    for (let size = count; size >= 1; size = Math.floor(size / 2)) {
      for (let end = members()?.length ?? 0; end > 0; end -= size) {
        const run = members()?.slice(Math.max(0, end - size), end) ?? []
        if (run.length > 0) await deleteRun(shrinker, run)
        if (shrinker.exhausted) return
      }
    }
  }
}

/** An input of more choices is large. It is cut into halves first, and into so many parts at last. */
const LARGE = 256
const PARTS = 16
/** Groups that are cut in one round, those of the most choices first. */
const MAX_CUT = 4
/** Choices tried as the count of a run of choices without spans: the first, and the nearest. */
const COUNTS_AT_EACH_END = 3

/**
 * Cuts large inputs: deletes long runs of sibling spans, or of choices, with their count. An execution
 * with a large input takes long, so the input is made small before passes look at each of its parts.
 */
export async function cutLargeInput(shrinker: Shrinker): Promise<void> {
  const size = () => shrinker.choices.input.length
  for (let before = Number.POSITIVE_INFINITY; size() > LARGE && size() < before && !shrinker.exhausted; ) {
    before = size()
    for (const group of longestGroups(shrinker)) {
      const members = () => siblings(shrinker.spans)[group]?.members ?? []
      await inParts(
        shrinker,
        () => members().length,
        (start, end) => deleteRun(shrinker, members().slice(start, end)),
      )
    }
    if (size() > LARGE) await inParts(shrinker, size, (start, end) => deleteLongRun(shrinker, start, end))
  }
}

/** Tries each half, quarter and so on, from the end. */
async function inParts(
  shrinker: Shrinker,
  count: () => number,
  tryRun: (start: number, end: number) => Promise<unknown>,
): Promise<void> {
  for (let parts = 1; parts <= PARTS && !shrinker.exhausted; parts *= 2) {
    const length = Math.ceil(count() / parts)
    for (let end = count(); end > 0 && !shrinker.exhausted; end -= length) {
      const last = Math.min(end, count())
      if (last > 0) await tryRun(Math.max(0, last - length), last)
    }
  }
}

async function deleteLongRun(shrinker: Shrinker, start: number, end: number): Promise<boolean> {
  const { input } = shrinker.choices
  const steps = BigInt(end - start)
  const mayCount = [...input.keys()].filter((index) => index < start && distance(input[index]!) >= steps)
  const counts = new Set([...mayCount.slice(0, COUNTS_AT_EACH_END), ...mayCount.slice(-COUNTS_AT_EACH_END).reverse()])
  for (const count of [...counts, undefined]) {
    const lowered = count === undefined ? input : input.with(count, nearer(input[count]!, steps))
    if (await shrinker.acceptsInput(lowered.toSpliced(start, end - start))) return true
  }
  return false
}

/** Indices among the groups of siblings. */
function longestGroups({ spans }: Shrinker): number[] {
  const covered = ({ members }: Siblings) => members.reduce((sum, { start, end }) => sum + end - start, 0)
  return siblings(spans)
    .map((group, index) => ({ index, count: group.members.length, covered: covered(group) }))
    .filter(({ count }) => count >= PARTS)
    .sort((a, b) => b.covered - a.covered)
    .slice(0, MAX_CUT)
    .map(({ index }) => index)
}

async function deleteRun(shrinker: Shrinker, run: readonly SpanNode[]): Promise<boolean> {
  for (const input of withoutRun(shrinker, run)) if (await shrinker.acceptsInput(input)) return true
  return false
}

/**
 * The inputs without a run of siblings: with each choice lowered that may be their count, then with
 * no other change.
 */
export function* withoutRun(shrinker: Shrinker, run: readonly SpanNode[]): Generator<readonly Choice[]> {
  const { input } = shrinker.choices
  const whole = { start: run[0]!.start, end: run.at(-1)!.end }
  // Siblings with another label may lie between.
  const dropped = new Set(
    run.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, index) => start + index)),
  )
  const isRun = dropped.size === whole.end - whole.start
  const without = (choices: readonly Choice[]) =>
    isRun ? replaced(choices, whole, []) : choices.filter((_, index) => !dropped.has(index))
  for (const count of countsOf(shrinker, run[0]!, BigInt(run.length))) {
    const lowered = input.map((choice, index) => (index === count ? nearer(choice, BigInt(run.length)) : choice))
    yield without(lowered)
  }
  yield without(input)
}

/**
 * Indices of the choices that may be the count of a span and its siblings, the likeliest first.
 *
 * @param atLeast the least distance of a count from its simplest value
 */
function countsOf(shrinker: Shrinker, first: SpanNode, atLeast: bigint): number[] {
  const { input } = shrinker.choices
  const counts: number[] = []
  for (let node: SpanNode | undefined = first; node !== undefined; node = node.parent) {
    const { parent, label, start } = node
    const beside = parent?.children ?? shrinker.spans.filter((span) => span.parent === undefined)
    const items = beside.filter((span) => span.label === label)
    for (let index = start - 1; index >= (parent?.start ?? 0); index--) {
      if (items.some((item) => item.start <= index && index < item.end)) continue
      if (distance(input[index]!) >= atLeast) counts.push(index)
      if (counts.length >= MAX_COUNTS) return counts
    }
  }
  return counts
}

/**
 * The longest run of choices, and the distance to a choice that may be its count. Where spans
 * within an input exist, `deleteSpans` has run before, so less is tried.
 */
const WITHOUT_SPANS = { run: 8, reach: 24 }
const WITH_SPANS = { run: 3, reach: 2 }

/**
 * Deletes runs of input choices, and lowers an earlier choice that may be their count. It ignores
 * spans, so it covers what has none: a choice of a user's own arbitrary, a part drawn by hand.
 */
export async function deleteChoices(shrinker: Shrinker): Promise<void> {
  const { run, reach } = shrinker.spans.some(({ parent }) => parent !== undefined) ? WITH_SPANS : WITHOUT_SPANS
  for (let size = Math.min(run, shrinker.choices.input.length); size >= 1; size--) {
    for (let start = shrinker.choices.input.length - size; start >= 0 && !shrinker.exhausted; start--) {
      const current = shrinker.choices
      if (start + size > current.input.length) continue
      const rest = current.input.filter((_, index) => index < start || index >= start + size)
      if (await shrinker.acceptsInput(rest)) continue
      for (let counter = start - 1; counter >= 0 && counter >= start - reach; counter--) {
        const lowered = rest.map((choice, index) => (index === counter ? nearer(choice, 1n) : choice))
        if (isSimplest(rest[counter]!)) continue
        if (await shrinker.acceptsInput(lowered)) break
      }
    }
  }
}
