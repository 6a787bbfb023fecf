/**
 * A failure in one sentence, from what differs between it and the nearest passing execution: two accesses
 * to one file, or two steps, whose order is the other way round. Where no rule fits, nothing is claimed.
 */
import { isSimplest } from '../contract/choice.ts'
import type { Explanation } from '../contract/explanation.ts'
import type { TraceEvent } from '../contract/trace.ts'
import { type Conflict, conflicts, swappedConflicts } from '../world/trace/conflicts.ts'
import { Order, type Swap, swapAtParting } from '../world/trace/swapped-steps.ts'
import { type Placed, resourceText, StepTexts } from './diagram/step-text.ts'

/** Only from a passing execution that differs from the failing one by one choice of the schedule. */
export function sentenceOf({ nearest: passing, ...failing }: Explanation): string | undefined {
  if (passing?.change.lane !== 'schedule' || passing.change.choice.subject === undefined) return undefined
  const [order, other] = [new Order(failing), new Order(passing)]
  const words = new Words(failing)
  const swapped = swappedConflicts(order, other)
  const violated = swapped.find(({ violation }) => violation !== undefined)
  if (violated !== undefined) return words.violation(violated.violation!)
  // A step that is delayed in the passing execution only may pass because that hides what is wrong.
  if (isSimplest(passing.change.choice)) return undefined
  const swap = swapAtParting(order, other)
  const first = swapped[0]
  if (first !== undefined && !(swap !== undefined && isConflict(swap)))
    return words.swap({ first: [first.first], second: [first.second] })
  return swap === undefined || commutes(swap) ? undefined : words.swap(swap)
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
  swap({ first, second }: Swap): string | undefined {
    const places = new Set(first.map((step) => this.#texts.fullPlaceOf(step)))
    if (second.some((step) => places.has(this.#texts.fullPlaceOf(step)))) return undefined
    const [one, other] = [first, second].map((steps) => steps.map((step) => this.#named(step)))
    if ([...one!, ...other!].includes(undefined)) return undefined
    const texts = [one!, other!].map((each) => [...new Set(each)].join(' and '))
    const sentence = `${texts[0]} came before ${texts[1]}. In the other order it passes.`
    return sentence[0]!.toUpperCase() + sentence.slice(1)
  }

  #places(steps: readonly TraceEvent[]): string {
    const places = new Set(steps.map((step) => this.#texts.fullPlaceOf(step)))
    return places.has('') ? '' : [...places].join(' and ')
  }

  #named(step: TraceEvent): string | undefined {
    const place = this.#texts.fullPlaceOf(step)
    return place === '' ? undefined : `${this.#texts.nounOf(step)} (${place})`
  }
}
