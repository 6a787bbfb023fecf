/**
 * Locations of errors, without cost if there is no error: the failed evaluation is repeated with
 * code compiled for diagnosis, in which each term adds its location to an error that passes through
 * it, and each operator a frame with its parameters. Evaluation is deterministic, so the error is
 * the same.
 */
import { type ErrorFrame, TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { BoundSymbol } from '../semantics/term.ts'
import type { Operator, Value } from '../values/value.ts'
import type { Cell } from './code.ts'
import { Deferred } from './deferred.ts'
import { isStackOverflow, shown, tooLarge } from './failures.ts'
import { type Binding, lookup, type Scope } from './scope.ts'

/** Bound on the frames of an error; the innermost are kept. */
const MOST_FRAMES = 12
/** Bound on the text of the parameters in a frame. */
const MOST_TEXT = 160

/** Adds a location to errors that have none. */
export function placed<Result>(run: () => Result, at: Span): () => Result {
  return () => {
    try {
      return run()
    } catch (thrown) {
      const error = tooLarge(thrown) ?? thrown
      if (error instanceof TlaError && error.at === undefined) error.at = at
      throw error
    }
  }
}

/** Adds the frame of an operator to errors. */
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
      if (isStackOverflow(error)) throw new Endless(name, at)
      if (error instanceof Endless) error.leave(name, at, () => frame(name, at, parameters))
      else if (error instanceof TlaError && error.frames.length < MOST_FRAMES) {
        error.frames.push(frame(name, at, parameters))
      }
      throw error
    }
  }
}

/**
 * Stack overflow during evaluation. Where it happens differs from run to run, by what Node has
 * compiled; so it names the outermost operator that recurred, where the recursion began.
 */
class Endless extends TlaError {
  override readonly isFatal = true
  readonly #left = new Set<string>()

  constructor(name: string, at: Span | undefined) {
    super('evaluation', endlessText(name), at)
    this.#left.add(name)
  }

  /** Called for each operator that the error passes through, innermost first. */
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

/** An error of evaluation, with V8's about the stack or a size as an error of the specification. */
export function diagnosed(error: unknown, name: string, at?: Span): unknown {
  return isStackOverflow(error) ? new Endless(name, at) : (tooLarge(error) ?? error)
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

/** The parameters of an expanded operator. */
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
          // Omitted from the message.
        }
      }
      return undefined
    }
    default:
      return undefined
  }
}

/** The value in a cell, if it is evaluated. */
export function held(cell: Cell): Value | undefined {
  const value: Value | Operator | Deferred | undefined = cell.value
  if (value instanceof Deferred) return value.known
  return typeof value === 'function' ? undefined : value
}
