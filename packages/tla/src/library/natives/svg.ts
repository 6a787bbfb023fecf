/** Natives of SVG. Attributes are ordered by name; `_` in a name stands for `-`. */
import type { Arena } from '../../values/arena.ts'
import { field } from '../../values/functions.ts'
import { refusal } from '../../values/refuse.ts'
import type { Value } from '../../values/value.ts'
import { impure, type NativeTable, pure } from '../native.ts'
import { integer, listedFunction, text, wrongOperand } from '../operands.ts'

/** Bound on the nesting of elements. */
const DEEPEST = 500

function toText(element: Value, depth = 0): string {
  if (depth > DEEPEST) throw refusal(`an SVG element holds more than ${DEEPEST} others within each other`)
  const name = text(field(element, 'name'), 'only', 'SVGElemToString')
  const given = listedFunction(field(element, 'attrs'), 'only', 'SVGElemToString')
  if (given.kind !== 'record' && given.elements.length > 0) {
    throw wrongOperand('only', 'SVGElemToString', 'an element whose attributes are a record', element)
  }
  const names = given.kind === 'record' ? given.shape.names : []
  const attributes = names.map(
    (attribute, at) => ` ${attribute.replaceAll('_', '-')}='${text(given.elements[at]!, 'only', 'SVGElemToString')}'`,
  )
  const inner = text(field(element, 'innerText'), 'only', 'SVGElemToString').replaceAll('<<', '&lt;&lt;')
  const children = listedFunction(field(element, 'children'), 'only', 'SVGElemToString').elements
  const parts = children.map((child) => toText(child, depth + 1)).join('')
  return `<${name}${attributes.join('')}>${inner.replaceAll('>>', '&gt;&gt;')}${parts}</${name}>`
}

/** Rounded towards 0. */
function point(arena: Arena, x: number, y: number): Value {
  return arena.record(arena.shape(['x', 'y']), [Math.trunc(x) + 0, Math.trunc(y) + 0])
}

export const SVG: NativeTable = {
  SVGElemToString: pure(
    ({ arena }) =>
      (element: Value) =>
        arena.string(toText(element)),
  ),
  NodeOfRingNetwork: pure(({ arena }) => (x: Value, y: Value, radius: Value, node: Value, nodes: Value) => {
    const [left, top] = [integer(x, 'first', 'NodeOfRingNetwork'), integer(y, 'second', 'NodeOfRingNetwork')]
    const size = integer(radius, 'third', 'NodeOfRingNetwork')
    const all = integer(nodes, 'fifth', 'NodeOfRingNetwork')
    if (all === 0) throw wrongOperand('fifth', 'NodeOfRingNetwork', 'a number of nodes other than 0', nodes)
    const angle = ((2 * Math.PI) / all) * integer(node, 'fourth', 'NodeOfRingNetwork')
    return point(arena, left + size * Math.cos(angle), top + size * Math.sin(angle))
  }),
  PointOnLine: pure(({ arena }) => (from: Value, to: Value, segment: Value) => {
    const part = integer(segment, 'third', 'PointOnLine')
    if (part === 0) throw wrongOperand('third', 'PointOnLine', 'an integer other than 0', segment)
    const between = (axis: 'x' | 'y') => {
      const start = integer(field(from, axis), 'first', 'PointOnLine')
      return start + (integer(field(to, axis), 'second', 'PointOnLine') - start) / part
    }
    return point(arena, between('x'), between('y'))
  }),
  NodesOfDirectedMultiGraph: impure(() => () => {
    throw refusal('NodesOfDirectedMultiGraph is not supported, as norn has no graph layout: give the coordinates')
  }),
}
