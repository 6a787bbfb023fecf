/**
 * The place of a generation among the nested arbitraries of an input; it labels the span.
 *
 * A place is the path from the input: `tree.1[0]` is the first member of the second alternative.
 * All items of an array share a place, and so do all depths of a recursive arbitrary (`letrec`):
 * spans of one label are interchangeable.
 *
 * Invariant: a place is a function of the arbitraries and of the values drawn, so a replay names
 * the same spans.
 */
import type { Tape } from '../../tape/tape.ts'

/** An arbitrary that is generating, with the arbitraries around it. */
export interface Frame {
  readonly arbitrary: object
  readonly place: Place
  /** Whether it draws nothing of its own: then its inner arbitrary shares its place. */
  readonly passing: boolean
  /** Whether its place has a span already: the outermost arbitrary that draws at a place has it. */
  readonly named: boolean
  readonly outer: Frame | undefined
}

/** A label, and the places directly within, each made once. */
export class Place {
  readonly label: string
  readonly #inner = new Map<string, Place>()

  constructor(label: string) {
    this.label = label
  }

  within(way: string): Place {
    const known = this.#inner.get(way)
    if (known !== undefined) return known
    const place = new Place(this.label + way)
    if (this.#inner.size < MAX_INNER) this.#inner.set(way, place)
    return place
  }
}

/** Bounds of the places kept between executions: inputs, and places directly within one. */
const MAX_INPUTS = 1000
const MAX_INNER = 1000
/** Levels searched outwards for a recursive arbitrary, and the longest label. */
const MAX_CYCLE = 24
const MAX_LABEL = 200

const inputs = new Map<string, Place>()

export class Nesting {
  readonly tape: Tape
  /** The innermost arbitrary that is generating. */
  frame: Frame | undefined
  /** The place of the whole input. */
  readonly input: Place

  constructor(tape: Tape, label: string) {
    this.tape = tape
    let input = inputs.get(label)
    if (input === undefined) {
      input = new Place(label)
      if (inputs.size < MAX_INPUTS) inputs.set(label, input)
    }
    this.input = input
  }

  /** The place of an arbitrary that is about to generate. */
  placeOf(arbitrary: object): Place {
    const { frame } = this
    // Outside the generation of the input: a stream or `fc.gen` draws for the body.
    if (frame === undefined) return this.input.within('.…')
    let outer: Frame | undefined = frame
    for (let count = 0; outer !== undefined && count < MAX_CYCLE; count++, outer = outer.outer) {
      if (outer.arbitrary === arbitrary) return outer.place
    }
    if (frame.passing || frame.place.label.length > MAX_LABEL) return frame.place
    return frame.place.within(way(frame.arbitrary as Shape, arbitrary))
  }
}

/** The fields in which fast-check's arbitraries hold inner ones. */
interface Shape {
  readonly arb?: unknown
  readonly arbs?: readonly unknown[]
  readonly warbs?: readonly { readonly arbitrary: unknown }[]
}

function way(outer: Shape, inner: object): string {
  if (outer.arb === inner) return '.*'
  const { arbs, warbs } = outer
  if (Array.isArray(arbs)) return `[${arbs.indexOf(inner)}]`
  if (Array.isArray(warbs)) return `.${warbs.findIndex((weighted) => weighted?.arbitrary === inner)}`
  // Made by a function of an earlier value, as in `chain`.
  return '.+'
}
