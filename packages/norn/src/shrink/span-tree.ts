/**
 * The spans of an input as a tree. A tape keeps them in the order of their starts, properly nested.
 */
import type { Choice } from '../contract/choice.ts'
import type { Span } from '../contract/choices.ts'

export interface SpanNode {
  readonly label: string
  /** Index of its first choice in the lane, and one past its last. */
  readonly start: number
  readonly end: number
  readonly parent: SpanNode | undefined
  readonly children: SpanNode[]
}

/** The non-empty spans of the input lane, parents before their children. */
export function spanTree(spans: readonly Span[]): SpanNode[] {
  const nodes: SpanNode[] = []
  let innermost: SpanNode | undefined
  for (const { lane, label, start, end } of spans) {
    if (lane !== 'input' || end <= start) continue
    while (innermost !== undefined && innermost.end < end) innermost = innermost.parent
    while (innermost !== undefined && innermost.end <= start) innermost = innermost.parent
    const node: SpanNode = { label, start, end, parent: innermost, children: [] }
    innermost?.children.push(node)
    nodes.push(node)
    innermost = node
  }
  return nodes
}

/** Children of one span with one label, in order: such as the items of an array. */
export interface Siblings {
  readonly parent: SpanNode | undefined
  readonly label: string
  readonly members: readonly SpanNode[]
}

/** All groups of siblings, the outermost first. */
export function siblings(nodes: readonly SpanNode[]): Siblings[] {
  const outermost = nodes.filter(({ parent }) => parent === undefined)
  const groups: Siblings[] = []
  for (const [parent, children] of [[undefined, outermost] as const, ...nodes.map((n) => [n, n.children] as const)]) {
    for (const [label, members] of Map.groupBy(children, (child) => child.label)) {
      groups.push({ parent, label, members })
    }
  }
  return groups
}

/** All spans within a span, without itself. */
export function* descendants(node: SpanNode): Generator<SpanNode> {
  for (const child of node.children) {
    yield child
    yield* descendants(child)
  }
}

export function choicesOf(input: readonly Choice[], { start, end }: Pick<SpanNode, 'start' | 'end'>): Choice[] {
  return input.slice(start, end)
}

/** The input with the choices of a span replaced. */
export function replaced(
  input: readonly Choice[],
  { start, end }: Pick<SpanNode, 'start' | 'end'>,
  choices: readonly Choice[],
): Choice[] {
  return [...input.slice(0, start), ...choices, ...input.slice(end)]
}
