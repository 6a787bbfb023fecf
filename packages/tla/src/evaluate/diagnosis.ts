/**
 * Locations of errors, at no cost without errors: compiled for diagnosis, each closure notes its
 * term when an error passes through it, innermost first, and operators note their name and the
 * values of their parameters. Evaluation is deterministic, so evaluating again gives the same
 * error.
 */
import { type ErrorFrame, TlaError } from '../error.ts'
import type { BoundSymbol } from '../semantics/term.ts'
import type { Span } from '../syntax/span.ts'
import type { Operator, Value } from '../values/value.ts'
import type { Cell } from './code.ts'
import { Deferred } from './deferred.ts'
import { isStackOverflow, shown } from './failures.ts'
import { type Binding, lookup, type Scope } from './scope.ts'

/** How many frames an error keeps: those nearest to it. */
const MOST_FRAMES = 12
/** How long the values of the parameters of one frame may be together, in characters. */
const MOST_TEXT = 160

/** Runs; what throws gets a place if it has none yet. */
export function placed<Result>(run: () => Result, at: Span): () => Result {
  return () => {
    try {
      return run()
    } catch (error) {
      if (error instanceof TlaError && error.at === undefined) error.at = at
      throw error
    }
  }
}

/** Runs what is in an operator; what throws is told that it was there. */
export function inOperator<Result>(
  run: () => Result,
  name: string,
  at: Span,
  parameters: readonly { readonly name: string; value(): Value | undefined }[],
): () => Result {
  return () => {
    try {
      return run()
    } catch (error) {
      if (isStackOverflow(error)) throw endless(name, at)
      if (error instanceof Endless) error.leave(name, at, () => frame(name, at, parameters))
      else if (error instanceof TlaError && error.frames.length < MOST_FRAMES) {
        error.frames.push(frame(name, at, parameters))
      }
      throw error
    }
  }
}

/**
 * Evaluation that ran out of stack. Where it did, and with which values, differs from run to run by
 * what Node has compiled; so it tells of the outermost operator that came back to itself, which is
 * where it began.
 */
class Endless extends TlaError {
  override readonly isFatal = true
  readonly #left = new Set<string>()

  constructor(name: string, at: Span | undefined) {
    super('evaluation', endlessText(name), at)
    this.#left.add(name)
  }

  /** Evaluation leaves an operator by it, inner ones first. */
  leave(name: string, at: Span, frame: () => ErrorFrame): void {
    if (this.#left.has(name)) {
      this.message = endlessText(name)
      this.at = at
      this.frames.length = 0
    } else this.#left.add(name)
    if (this.frames.length < MOST_FRAMES) this.frames.push(frame())
  }
}

function endlessText(name: string): string {
  return `the evaluation of ${name} does not end, or is nested too deeply: check that its recursion has a base case`
}

/** Evaluation that ran out of stack. */
export function endless(name: string, at: Span | undefined): TlaError {
  return new Endless(name, at)
}

function frame(
  name: string,
  at: Span,
  parameters: readonly { readonly name: string; value(): Value | undefined }[],
): ErrorFrame {
  const texts: string[] = []
  let length = 0
  for (const parameter of parameters) {
    const value = parameter.value()
    if (value === undefined) continue
    const text = `${parameter.name} = ${shown(value)}`
    if ((length += text.length) > MOST_TEXT) break
    texts.push(text)
  }
  return { at, what: texts.length === 0 ? name : `${name} with ${texts.join(', ')}` }
}

/** The parameters of an expanded operator, as far as they have values. */
export function parametersIn(
  parameters: readonly BoundSymbol[],
  scope: Scope,
): readonly { readonly name: string; value(): Value | undefined }[] {
  return parameters.flatMap((parameter) => {
    const binding = lookup(parameter, scope)
    return binding === undefined || parameter.arity > 0
      ? []
      : [{ name: parameter.name, value: () => valueNow(binding) }]
  })
}

function valueNow(binding: Binding): Value | undefined {
  switch (binding.kind) {
    case 'known':
      return binding.value
    case 'cell':
      return held(binding.cell)
    case 'closed': {
      for (const cell of binding.cells) if (cell.value !== undefined) return held(cell)
      for (const code of binding.codes.values()) {
        if (!code.isSimple) continue
        try {
          return code.run()
        } catch {
          // A value for the message is no reason for another error.
        }
      }
      return undefined
    }
    default:
      return undefined
  }
}

/** The value in a cell, if it is one. */
export function held(cell: Cell): Value | undefined {
  const value: Value | Operator | Deferred | undefined = cell.value
  if (value instanceof Deferred) return value.known
  return typeof value === 'function' ? undefined : value
}
