/** What differs between two states, part by part, as people read it: a diff, not two states. */
import { printValue } from '../values/print.ts'
import type { Canonical, Tuple } from '../values/value.ts'

/** `commit[s2]: 5 → 6`; of a set, what came and what went. */
export function changes(variables: readonly string[], before: Tuple, after: Tuple): readonly string[] {
  return variables.flatMap((name, at) => changesOf(name, before.elements[at]!, after.elements[at]!))
}

function changesOf(way: string, before: Canonical, after: Canonical): readonly string[] {
  if (before === after) return []
  const whole = [`${way}: ${printValue(before)} → ${printValue(after)}`]
  if (typeof before !== 'object' || typeof after !== 'object' || before.kind !== after.kind) return whole
  if (before.kind === 'set' && after.kind === 'set') {
    const [old, now] = [new Set(before.elements), new Set(after.elements)]
    const gone = before.elements.filter((element) => !now.has(element)).map((element) => `− ${printValue(element)}`)
    const come = after.elements.filter((element) => !old.has(element)).map((element) => `+ ${printValue(element)}`)
    return [`${way}: ${[...gone, ...come].join(', ')}`]
  }
  if (before.kind === 'tuple' && after.kind === 'tuple') {
    const [longer, shorter] = [after.elements, before.elements]
    if (longer.length > shorter.length && shorter.every((element, at) => element === longer[at])) {
      const added = longer.slice(shorter.length).map((element) => printValue(element))
      return [`${way}: + ${added.join(', ')} at the end`]
    }
    if (longer.length !== shorter.length) return whole
    return shorter.flatMap((element, at) => changesOf(`${way}[${at + 1}]`, element, longer[at]!))
  }
  if (before.kind === 'record' && after.kind === 'record' && before.shape === after.shape) {
    return before.elements.flatMap((element, at) =>
      changesOf(`${way}.${before.shape.names[at]}`, element, after.elements[at]!),
    )
  }
  if (before.kind === 'function' && after.kind === 'function' && before.domain === after.domain) {
    return before.elements.flatMap((element, at) =>
      changesOf(`${way}[${printValue(before.domain.elements[at]!)}]`, element, after.elements[at]!),
    )
  }
  return whole
}
