/** `norn tla follow SPEC --trace FILE`: follows the actions of a trace, and tells the states that they lead to. */
import { constants } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { TlaError } from '../error.ts'
import { loadMachine } from '../evaluate/load.ts'
import type { Machine } from '../evaluate/machine.ts'
import { type FollowEnd, type FollowedStep, followTrace } from '../follow/follow-trace.ts'
import { DataError } from '../follow/from-data.ts'
import { readTrace, type TraceEntry, TraceFileError } from '../trace-file.ts'
import { printValue } from '../values/print.ts'
import { type ExitStatus, STATUS, UsageError } from '../../../norn/src/cli/exit-status.ts'
import { type ConfigurationOptions, configurationOf, specificationFile } from './inputs.ts'

export interface TlaTraceOptions extends ConfigurationOptions {
  readonly library: readonly string[]
  readonly trace: string
  readonly json: boolean
}

const STATUSES: Readonly<Record<FollowEnd['ended'], ExitStatus>> = {
  followed: STATUS.passed,
  disabled: STATUS.failed,
  error: STATUS.failed,
  'broken invariant': STATUS.failed,
  undecided: STATUS.undecided,
}

/** Of several states so many are told in full. */
const MAX_TOLD = 10

export async function tlaFollowCommand(named: string, options: TlaTraceOptions): Promise<ExitStatus> {
  const { json } = options
  return refusing(json, () => {
    const { machine } = machineOf(named, options)
    const entries = entriesOf(options.trace)
    const trace = shownFile(options.trace)
    const say = (lines: readonly string[]) => {
      if (!json) console.log(lines.join('\n'))
    }
    const end = followTrace(machine, trace, entries, (step) => {
      if (json) console.log(JSON.stringify(stepJson(step)))
      else say(stepText(machine, step))
    })
    if (json) console.log(JSON.stringify(endJson(end, entries)))
    else say(endText(end, trace, entries))
    return STATUSES[end.ended]
  })
}

/** Runs a command; what is wrong with a file that it was given is said without a stack. With JSON, the last line says so too. */
export function refusing(json: boolean, command: () => ExitStatus): ExitStatus {
  try {
    return command()
  } catch (error) {
    const isKnown = [TlaError, TraceFileError, DataError, UsageError].some((kind) => error instanceof kind)
    if (!isKnown) throw error
    const { message } = error as Error
    if (json) console.log(JSON.stringify({ type: 'end', result: 'refused', message }))
    throw new UsageError(error instanceof TlaError ? error.describe() : message)
  }
}

/** The machine of a specification as the command line names it; what it prints goes to stderr. */
export function machineOf(named: string, options: TlaTraceOptions): { machine: Machine; specification: string } {
  const specification = specificationFile(named)
  const machine = loadMachine(specification, {
    configuration: configurationOf(specification, options),
    library: options.library,
    print: (line) => console.error(line),
  })
  return { machine, specification }
}

/** @throws TraceFileError, UsageError */
export function entriesOf(path: string): readonly TraceEntry[] {
  return readTrace(shownFile(path), textOf(path))
}

/** How messages name a file: the standard input has no name. */
export function shownFile(path: string): string {
  return path === '-' ? 'stdin' : path
}

/** The text of a file that the command line names, which may be compressed. @throws UsageError */
export function textOf(path: string): string {
  try {
    const content = readFileSync(path === '-' ? 0 : path)
    const isCompressed = content[0] === 0x1f && content[1] === 0x8b
    return (isCompressed ? gunzipSync(content) : content).toString('utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new UsageError(`there is no file ${path}`)
    if (code === 'EISDIR') throw new UsageError(`${path} is a folder`)
    if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE' || code === 'ERR_BUFFER_TOO_LARGE') {
      const most = Math.floor(constants.MAX_STRING_LENGTH / 2 ** 20)
      throw new UsageError(`${shownFile(path)} is too large: up to ${most} MB are read; give a part of it`)
    }
    throw new UsageError(`${shownFile(path)}: ${message}`)
  }
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
  for (const [at, { state, from }] of led.slice(0, MAX_TOLD).entries()) {
    if (led.length > 1) lines.push(`  state ${at + 1}`)
    const before = from?.values.elements
    const changed = machine.variables.flatMap((name, variable) => {
      const value = state.values.elements[variable]!
      return before?.[variable] === value ? [] : [`${led.length > 1 ? '    ' : '  '}/\\ ${name} = ${printValue(value)}`]
    })
    lines.push(...(changed.length === 0 ? ['  nothing changes'] : changed))
  }
  if (led.length > MAX_TOLD) lines.push(`  and ${led.length - MAX_TOLD} more`)
  return lines
}

function endText(end: FollowEnd, path: string, entries: readonly TraceEntry[]): readonly string[] {
  switch (end.ended) {
    case 'followed': {
      const states = end.states === 1 ? 'one state' : `${end.states} possible states`
      return ['', `followed: ${entries.length} ${entries.length === 1 ? 'action' : 'actions'}, to ${states}`]
    }
    case 'disabled':
      return [
        '',
        `${path}:${end.step.line}: ${callText(end.step)} is disabled`,
        ...end.reasons.slice(0, MAX_TOLD).map((reason) => `  ${reason}`),
      ]
    case 'error':
      return ['', end.step.line === 0 ? end.message : `${path}:${end.step.line}: ${end.message}`]
    case 'undecided':
      return ['', `${end.step.line === 0 ? path : `${path}:${end.step.line}`}: undecided: ${end.why}`]
    case 'broken invariant':
      return [
        '',
        end.step.line === 0
          ? 'an invariant does not hold in the initial state'
          : `${path}:${end.step.line}: an invariant does not hold after ${callText(end.step)}`,
        `  ${end.why}`,
      ]
  }
}

function stepJson({ line, action, parameters, led }: FollowedStep) {
  return { type: 'step', line, action, parameters, states: led.map(({ state }) => state.value) }
}

function endJson(end: FollowEnd, entries: readonly TraceEntry[]) {
  switch (end.ended) {
    case 'followed':
      return { type: 'end', result: 'followed', actions: entries.length, states: end.states }
    case 'disabled': {
      const { line, action, parameters } = end.step
      return { type: 'end', result: 'disabled', line, action, parameters, reasons: end.reasons }
    }
    case 'error': {
      const { line, action, parameters } = end.step
      return { type: 'end', result: 'error', line, action, parameters, reasons: [end.message] }
    }
    case 'undecided': {
      const { line, action, parameters } = end.step
      return { type: 'end', result: 'undecided', line, action, parameters, reasons: [end.why] }
    }
    case 'broken invariant': {
      const { line, action, parameters } = end.step
      return { type: 'end', result: 'invariant', line, action, parameters, reasons: [end.why] }
    }
  }
}
