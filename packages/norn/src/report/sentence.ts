/**
 * A failure in one sentence: two accesses to one file, or two steps, whose order is the other way round where
 * it passes. It comes from the nearest passing execution, or from many that were tried around the failing one.
 * Where no rule fits, nothing is claimed.
 */
import { isSimplest } from '../contract/choice.ts'
import type { DecidingOrder, Explanation } from '../contract/explanation.ts'
import type { TraceEvent } from '../contract/trace.ts'
import { type Conflict, conflicts, swappedConflicts } from '../world/trace/conflicts.ts'
import { endings } from '../world/trace/deciding-order.ts'
import { Order, type Swap, swapAtParting } from '../world/trace/swapped-steps.ts'
import { type Placed, resourceText, StepTexts } from './diagram/step-text.ts'

export function sentenceOf(explanation: Explanation): string | undefined {
  const { deciding, nearest, around = [], ...failing } = explanation
  // Only a passing execution that differs by one choice of the schedule shows what that changes.
  const passing =
    nearest?.change.lane === 'schedule' && nearest.change.choice.subject !== undefined ? nearest : undefined
  const orders = passing && ([new Order(failing), new Order(passing)] as const)
  const conflicts = orders === undefined ? [] : swappedConflicts(...orders)
  const words = new Words(failing)
  const violated = conflicts.find(
    ({ violation: all }) =>
      all !== undefined && endings(failing, { first: all.reads, second: all.writes }, around).inOrder.passed === 0,
  )
  if (violated !== undefined) return words.violation(violated.violation!)
  const decides = deciding && decided(deciding)
  // A step that is delayed in the passing execution only may pass because that hides what is wrong.
  if (decides !== undefined || orders === undefined || isSimplest(passing!.change.choice)) return decides
  const swap = swapAtParting(...orders)
  const first = conflicts[0]
  const isOfFile = first !== undefined && !(swap !== undefined && isConflict(swap))
  const shown = isOfFile ? { first: [first.first], second: [first.second] } : swap
  if (shown === undefined || (!isOfFile && commutes(shown))) return undefined
  const ending = endingOf(endings(failing, shown, around))
  return ending && words.swap(shown, ending)
}

/** What the executions that were tried say of an order; undefined if one passes with it, and one fails without. */
function endingOf({ inOrder, inOther }: ReturnType<typeof endings>): string | undefined {
  if (inOther.failed === 0) return PASSES
  if (inOrder.passed > 0) return undefined
  const { failed, passed } = inOther
  return `In this order all that were tried failed, in the other one ${failed} of ${failed + passed}.`
}

const PASSES = 'In the other order it passes.'

/** What all executions that were tried around the failing one have in common. */
function decided({ first, second, after, inputText }: DecidingOrder): string | undefined {
  if (after !== undefined) return between([after, first, second], inputText)
  const steps = [first, second].map((each) => each.map(({ step }) => step))
  if (first.length === 1 && commutes({ first: steps[0]!, second: steps[1]! })) return undefined
  const names = [first, second].map((each) => each.map(({ step, execution }) => new Words(execution).named(step)))
  const [one, other] = names.map((each) => [...new Set(each)].join(' and '))
  if (names.flat().includes(undefined) || one === other) return undefined
  const isPair = first.length === 1
  const passes = isPair ? PASSES : 'One task after the other passes.'
  if (inputText === undefined) return inOrder(one!, other!, passes)
  const comes = new Set(names[0]).size > 1 ? 'come' : 'comes'
  const otherwise = isPair ? 'in the other order' : 'one task after the other'
  return `With ${inputText} it fails if ${one} ${comes} before ${other}, and passes ${otherwise}.`
}

/** A step between two others. */
function between(steps: readonly DecidingOrder['first'][], inputText: string | undefined): string | undefined {
  const names = steps.map(([each]) => new Words(each!.execution).named(each!.step))
  const [from, step, to] = names
  if (names.includes(undefined) || step === from || step === to) return undefined
  if (inputText !== undefined)
    return `With ${inputText} it fails if ${step} comes between ${from} and ${to}, and passes before or after both.`
  return `${upper(step!)} came between ${from} and ${to}. Before or after both it passes.`
}

const upper = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`

function inOrder(one: string, other: string, passes: string): string {
  return `${upper(one)} came before ${other}. ${passes}`
}

/** Two reads of one file, or its opening and closing: that a descriptor gets a number again may make it pass. */
function commutes({ first, second }: Swap): boolean {
  const isOneFile = first[0]!.resource !== '' && first[0]!.resource === second[0]!.resource
  return isOneFile && [...first, ...second].every(({ event }) => event === 'effect') && !isConflict({ first, second })
}

function isConflict({ first, second }: Swap): boolean {
  return first.some((one) => second.some((other) => conflicts(one, other)))
}

const VERBS: Readonly<Record<string, string>> = {
  access: 'checked',
  stat: 'checked',
  lstat: 'checked',
  fstat: 'checked',
  open: 'opened',
  mkdir: 'made',
  unlink: 'removed',
  rm: 'removed',
  rmdir: 'removed',
  rename: 'renamed',
  write: 'wrote',
  writev: 'wrote',
  writeFile: 'wrote',
  appendFile: 'wrote',
  truncate: 'truncated',
  ftruncate: 'truncated',
  link: 'linked',
  symlink: 'linked',
}

class Words {
  readonly #texts: StepTexts

  constructor(failing: Placed) {
    this.#texts = new StepTexts(failing)
  }

  violation({ reads, writes }: NonNullable<Conflict['violation']>): string | undefined {
    const [read, written] = [this.#places(reads), this.#places(writes)]
    if (read === '' || written === '') return undefined
    const [how, what] = [VERBS[reads[0].kind] ?? 'read', VERBS[writes[0].kind] ?? 'changed']
    return `Two tasks ${how} ${resourceText(reads[0])} (${read}) before either ${what} it (${written}).`
  }

  /** Undefined where a place is unknown, or both are at one place, so that words cannot tell them apart. */
  swap({ first, second }: Swap, ending: string): string | undefined {
    const places = new Set(first.map((step) => this.#texts.fullPlaceOf(step)))
    if (second.some((step) => places.has(this.#texts.fullPlaceOf(step)))) return undefined
    const [one, other] = [first, second].map((steps) => steps.map((step) => this.named(step)))
    if ([...one!, ...other!].includes(undefined)) return undefined
    const names = [one!, other!].map((each) => [...new Set(each)].join(' and '))
    return inOrder(names[0]!, names[1]!, ending)
  }

  #places(steps: readonly TraceEvent[]): string {
    const places = new Set(steps.map((step) => this.#texts.fullPlaceOf(step)))
    return places.has('') ? '' : [...places].join(' and ')
  }

  /** With its place, or that of what it follows from; undefined if neither is known. */
  named(step: TraceEvent): string | undefined {
    const place = this.#texts.fullPlaceOf(step)
    const after = place === '' ? this.#texts.placeBefore(step) : ''
    if (place === '' && after === '') return undefined
    return `${this.#texts.nounOf(step)} (${after === '' ? place : `after ${after}`})`
  }
}
