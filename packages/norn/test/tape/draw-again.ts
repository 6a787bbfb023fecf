import type { Lane } from '../../src/contract/choice.ts'
import type { DrawOptions, Tape } from '../../src/tape/tape.ts'

const draws = new WeakMap<Tape, Map<string, number>>()

/** Draws under a label that may repeat: further draws are labelled `label#1`, `label#2`, ... */
export function drawAgain<Value extends number | bigint>(
  tape: Tape,
  lane: Lane,
  label: string,
  min: Value,
  max: Value,
  options: DrawOptions<Value> = {},
): Value {
  const counts = draws.get(tape) ?? new Map<string, number>()
  draws.set(tape, counts)
  const key = `${lane} ${label}`
  const ordinal = counts.get(key) ?? 0
  counts.set(key, ordinal + 1)
  if (ordinal === 0) return tape.draw(lane, label, min, max, options)
  const { subject } = options
  const repeated = subject === undefined ? options : { ...options, subject: { ...subject, ordinal } }
  return tape.draw(lane, `${label}#${ordinal}`, min, max, repeated)
}
