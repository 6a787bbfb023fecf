/** The differences between two states, part by part: a readable diff in place of two states. */
import { printValue } from '../values/print.ts'
import type { Canonical, Tuple } from '../values/value.ts'
import { stepText } from './match.ts'

/** `commit[s2]: 5 → 6`; for sets and domains, the elements added (`+`) and removed (`−`). */
export function changes(variables: readonly string[], before: Tuple, after: Tuple): readonly string[] {
  return variables.flatMap((name, at) => changesOf(name, before.elements[at]!, after.elements[at]!))
}

function changesOf(way: string, before: Canonical, after: Canonical): readonly string[] {
  if (before === after) return []
  const whole = [`${way}: ${printValue(before)} → ${printValue(after)}`]
  if (typeof before !== 'object' || typeof after !== 'object') return whole
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
      changesOf(way + stepText(before, before.shape.names[at]!), element, after.elements[at]!),
    )
  }
  const [old, now] = [pairsOf(before), pairsOf(after)]
  return old === undefined || now === undefined ? whole : changesOfPairs(way, old, now)
}

type Pairs = ReadonlyMap<string, Canonical>

/** A function's values by argument; undefined for a non-empty sequence and for other values. */
function pairsOf(value: Canonical): Pairs | undefined {
  if (typeof value !== 'object') return undefined
  switch (value.kind) {
    case 'function':
      return new Map(value.domain.elements.map((argument, at) => [printValue(argument), value.elements[at]!]))
    case 'record':
      return new Map(value.shape.names.map((name, at) => [`"${name}"`, value.elements[at]!]))
    case 'tuple':
      return value.elements.length === 0 ? new Map() : undefined
    default:
      return undefined
  }
}

/** Arguments removed, arguments added with their values, and arguments whose value changed. */
function changesOfPairs(way: string, before: Pairs, after: Pairs): readonly string[] {
  const gone = Array.from(before.keys(), (argument) => (after.has(argument) ? [] : [`− ${argument}`])).flat()
  const come = Array.from(after, ([argument, value]) =>
    before.has(argument) ? [] : [`+ ${argument} :> ${printValue(value)}`],
  ).flat()
  const differing = [...gone, ...come]
  return [
    ...(differing.length === 0 ? [] : [`${way}: ${differing.join(', ')}`]),
    ...Array.from(before, ([argument, value]) =>
      after.has(argument) ? changesOf(`${way}[${argument}]`, value, after.get(argument)!) : [],
    ).flat(),
  ]
}
