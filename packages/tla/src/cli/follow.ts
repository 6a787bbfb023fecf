/**
 * `follow SPEC --trace FILE`: follows the actions of a trace, and prints the states that they lead
 * to.
 */

import { type ExitStatus, STATUS } from '#shared/cli/exit-status'
import { print } from '#shared/print'
import { plural } from '#shared/text'
import type { Machine } from '../evaluate/machine.ts'
import { type FollowEnd, type FollowedStep, followTrace } from '../follow/follow-trace.ts'
import type { TraceEntry } from '../follow/trace-file.ts'
import { toPlain } from '../values/plain.ts'
import { printValue } from '../values/print.ts'
import { entriesOf, machineOf, refusing, shownFile, type TraceOptions } from './trace-inputs.ts'

const STATUSES: Readonly<Record<FollowEnd['ended'], ExitStatus>> = {
  followed: STATUS.passed,
  disabled: STATUS.failed,
  error: STATUS.failed,
  'broken invariant': STATUS.failed,
  undecided: STATUS.undecided,
}

/** States that are printed in full. */
const MAX_SHOWN = 10

export function followCommand(named: string, options: TraceOptions): Promise<ExitStatus> {
  const { json } = options
  return refusing(json, () => {
    const { machine } = machineOf(named, options)
    const entries = entriesOf(options.trace)
    const trace = shownFile(options.trace)
    const end = followTrace(machine, trace, entries, (step) => {
      print(json ? JSON.stringify(stepJson(machine, step)) : stepText(machine, step).join('\n'))
    })
    print(json ? JSON.stringify(endJson(end, entries)) : endText(end, trace, entries).join('\n'))
    return STATUSES[end.ended]
  })
}

function callText({ action, parameters }: Pick<FollowedStep, 'action' | 'parameters'>): string {
  const texts = parameters.map((parameter) => (typeof parameter === 'string' ? parameter : JSON.stringify(parameter)))
  return texts.length === 0 ? action : `${action}(${texts.join(', ')})`
}

/** The variables that changed; all of initial states. */
function stepText(machine: Machine, step: FollowedStep): readonly string[] {
  const { line, led } = step
  const title = line === 0 ? 'initial state' : `line ${line}: ${callText(step)}`
  const lines = [led.length === 1 ? title : `${title} (${led.length} states${line === 0 ? '' : ' are possible'})`]
  for (const [at, { state, from }] of led.slice(0, MAX_SHOWN).entries()) {
    if (led.length > 1) lines.push(`  state ${at + 1}`)
    const changed = machine.variables.flatMap((name, variable) => {
      const value = state.elements[variable]!
      if (from?.elements[variable] === value) return []
      return [`${led.length > 1 ? '    ' : '  '}/\\ ${name} = ${printValue(value)}`]
    })
    lines.push(...(changed.length === 0 ? ['  nothing changes'] : changed))
  }
  if (led.length > MAX_SHOWN) lines.push(`  and ${led.length - MAX_SHOWN} more`)
  return lines
}

function endText(end: FollowEnd, path: string, entries: readonly TraceEntry[]): readonly string[] {
  switch (end.ended) {
    case 'followed': {
      const states = plural(end.states, 'possible state')
      return ['', `followed ${plural(entries.length, 'action')} to ${states}`]
    }
    case 'disabled':
      return [
        '',
        `${path}:${end.step.line}: ${callText(end.step)} is disabled`,
        ...end.reasons.slice(0, MAX_SHOWN).map((reason) => `  ${reason}`),
      ]
    case 'error':
      return ['', end.step.line === 0 ? end.message : `${path}:${end.step.line}: ${end.message}`]
    case 'undecided':
      return ['', `${end.step.line === 0 ? path : `${path}:${end.step.line}`}: undecided: ${end.why}`]
    case 'broken invariant':
      return [
        '',
        end.step.line === 0
          ? 'an invariant is false in the initial state'
          : `${path}:${end.step.line}: an invariant is false after ${callText(end.step)}`,
        `  ${end.why}`,
      ]
  }
}

function stepJson({ variables }: Machine, { line, action, parameters, led }: FollowedStep) {
  const plain = ({ state }: (typeof led)[number]) =>
    Object.fromEntries(variables.map((name, at) => [name, toPlain(state.elements[at]!)]))
  return { type: 'step', line, action, parameters, states: led.map(plain) }
}

function endJson(end: FollowEnd, entries: readonly TraceEntry[]) {
  if (end.ended === 'followed') {
    return { type: 'end', result: 'followed', actions: entries.length, states: end.states }
  }
  const { line, action, parameters } = end.step
  const result = end.ended === 'broken invariant' ? 'invariant' : end.ended
  return { type: 'end', result, line, action, parameters, reasons: reasonsOf(end) }
}

function reasonsOf(end: Exclude<FollowEnd, { ended: 'followed' }>): readonly string[] {
  switch (end.ended) {
    case 'disabled':
      return end.reasons
    case 'error':
      return [end.message]
    default:
      return [end.why]
  }
}
