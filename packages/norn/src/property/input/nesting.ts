/**
 * Where a generation is among the arbitraries that make up an input, as places: what kind of thing is being drawn.
 *
 * A place is named by the way to it from the input, as seen from the arbitraries: `tree.1[0]` is the first member of the
 * second alternative. Repetition has no part in it, so all items of one array share a place; and an arbitrary that is
 * met within itself (`letrec`) takes its own place again, so what is drawn by one arbitrary has one place at any depth.
 * That is what makes a span worth copying over another of the same label.
 *
 * Invariant: a place is a function of the arbitraries and of the values drawn, so a replay names the same spans.
 */
import type { Tape } from '../../tape/tape.ts'

/** An arbitrary that is generating, within others. */
export interface Frame {
  readonly arbitrary: object
  readonly place: Place
  /** Whether what it generates is what its inner arbitrary does: then both stand at one place. */
  readonly passing: boolean
  /** Whether that place had its span before: of those at one place the outermost that draws has it. */
  readonly named: boolean
  readonly outer: Frame | undefined
}

/** A label, and those of what lies directly within, made once. */
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

/** Places are remembered from execution to execution; so many inputs, and so many ways on from each place. */
const MAX_INPUTS = 1000
const MAX_INNER = 1000
/** How far out an arbitrary is looked for that comes again within itself, and how long a label may get. */
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
    // The input is there: what is drawn now, a stream or `fc.gen` draws for the body.
    if (frame === undefined) return this.input.within('.…')
    let outer: Frame | undefined = frame
    for (let count = 0; outer !== undefined && count < MAX_CYCLE; count++, outer = outer.outer) {
      if (outer.arbitrary === arbitrary) return outer.place
    }
    if (frame.passing || frame.place.label.length > MAX_LABEL) return frame.place
    return frame.place.within(way(frame.arbitrary as Shape, arbitrary))
  }
}

/** The properties by which fast-check's arbitraries hold those within. */
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
  // What a function made of a value drawn before, as in `chain`.
  return '.+'
}
