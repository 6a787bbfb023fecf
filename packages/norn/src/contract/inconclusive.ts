/**
 * Why an execution is inconclusive: norn lost control of it, or could not generate its input, so
 * neither a pass nor a failure can be concluded. Plain data, so that it crosses process boundaries.
 */
import type { Divergence, Frame } from './divergence.ts'
import { numberText, plural } from './text.ts'

export type InconclusiveReason =
  /** The program asked for an operation that norn does not control. */
  | { readonly kind: 'uncontrolled operation'; readonly operation: string }
  /** The program needs a native addon, which norn does not load unless it is allowed. */
  | { readonly kind: 'native addon'; readonly addon: string }
  /** The program used a part of a test framework that norn does not provide. */
  | { readonly kind: 'unsupported feature'; readonly feature: string }
  /** The program needs a server at an address where nothing in the world listens. */
  | { readonly kind: 'missing server'; readonly address: string }
  /** A database of the world does not work as it has to. */
  | { readonly kind: 'database'; readonly message: string }
  /** The real event loop has a new handle, opened by an operation that norn did not intercept. */
  | { readonly kind: 'unnamed operation' }
  /** The body settled after a deadlock: an operation outside norn's control was pending. */
  | { readonly kind: 'pending outside' }
  /** In open mode: nothing was left but a real connection, on which nothing happened. */
  | { readonly kind: 'silent peer'; readonly open: string }
  /** The program caught a stack overflow inside norn's functions; its depth varies. */
  | { readonly kind: 'caught stack overflow' }
  /** Norn threw: the program broke a builtin that norn needs, or norn has a bug. */
  | { readonly kind: 'internal error'; readonly message: string }
  /** The check of a history ended at a bound. */
  | { readonly kind: 'undecided history'; readonly why: string }
  /** The process ran out of memory, and the execution alone does not. */
  | { readonly kind: 'memory not repeated'; readonly message: string }
  /** Two executions of one tape differed. */
  | { readonly kind: 'nondeterminism'; readonly divergence: Divergence }
  /** Generating an input drew more choices than norn allows. */
  | { readonly kind: 'endless generation'; readonly input: string; readonly choices: number }
  /** A filter of fast-check rejected every value. */
  | {
      readonly kind: 'filter exhausted'
      readonly input: string
      /** The source text of the filter, where it can be shown. */
      readonly filter?: string
      /** Values rejected in a row. */
      readonly rejected: number
    }

export interface InconclusiveReport {
  readonly reason: InconclusiveReason
  readonly stack: string
  readonly frames: readonly Frame[]
}

/** Whether a real server is at fault, so that further executions would end in the same way. */
export function lacksServer({ kind }: InconclusiveReason): boolean {
  return kind === 'silent peer' || kind === 'database'
}

/** Equal for equal reasons; all nondeterminism is one reason. */
export function reasonKey(reason: InconclusiveReason): string {
  return reason.kind === 'nondeterminism' ? reason.kind : JSON.stringify(reason)
}

/** One line for a report: the reason, then what to do, if the user can do something. */
export function describeReason(reason: InconclusiveReason): string {
  switch (reason.kind) {
    case 'uncontrolled operation':
      return `uncontrolled: ${reason.operation}`
    case 'native addon': {
      const help = `if it does all its work before its functions return, --allow-addon ${reason.addon} loads it; else --alias puts a stand-in in its place`
      return `native addon ${reason.addon}, which norn cannot control: ${help}`
    }
    case 'unsupported feature':
      return `not supported by norn: ${reason.feature}`
    case 'missing server': {
      const help =
        'Start a server there in the property, replace the client by a stand-in, or reach a real server with --open.'
      return `a connection to ${reason.address}, where nothing in the world listens. ${help}`
    }
    case 'database':
      return reason.message
    case 'unnamed operation':
      return 'uncontrolled: an operation of the real event loop'
    case 'pending outside':
      return 'uncontrolled: the body waited for an operation outside norn'
    case 'silent peer':
      return `the body never settled, and nothing came from ${reason.open} for 10 s: a deadlock of the program, or a peer that does not answer`
    case 'caught stack overflow':
      return 'uncontrolled: the program caught a stack overflow, whose depth varies between processes'
    case 'internal error':
      return `internal error: ${reason.message} (the program broke a builtin, or norn has a bug)`
    case 'undecided history':
      return `the history could not be decided: ${reason.why}`
    case 'memory not repeated': {
      const help = 'Raise it, or look for what the program keeps from one execution to the next.'
      return `${reason.message}, but not for this execution alone. ${help}`
    }
    case 'nondeterminism':
      return 'uncontrolled nondeterminism'
    case 'endless generation': {
      const drawn = numberText(reason.choices)
      const help = 'Bound it with maxLength, maxDepth or size, or relax its filter.'
      return `generation of '${reason.input}' does not end (${drawn} choices drawn). ${help}`
    }
    case 'filter exhausted': {
      const filter = reason.filter === undefined ? 'a filter' : `the filter ${reason.filter}`
      const rejected = `${filter} rejected ${plural(reason.rejected, 'value')} in a row`
      const help = 'Generate matching values with min and max, map or chain instead.'
      return `generation of '${reason.input}' does not end: ${rejected}. ${help}`
    }
  }
}

/** The `what` field of JSON lines; its texts are stable. */
export function whatOf(reason: InconclusiveReason): string {
  switch (reason.kind) {
    case 'uncontrolled operation':
      return reason.operation
    case 'native addon':
      return `native addon ${reason.addon}`
    case 'unsupported feature':
      return reason.feature
    case 'missing server':
      return `a connection to ${reason.address}`
    case 'nondeterminism':
      return 'something that makes two runs of one tape differ'
    default:
      return describeReason(reason)
  }
}
