/** What a picture shows, as plain data: computed here, drawn in the browser (picture-script.ts). */
import type { Operation } from '../history/operation.ts'
import type { IsolationResult } from '../isolation/check.ts'
import type { LinearizabilityResult } from '../linearizability/result.ts'

export type CheckedResult = LinearizabilityResult | IsolationResult

/** An operation in words. */
export type Describe = (operation: Operation) => string

export interface PictureData {
  /** The processes: a line each. */
  readonly lanes: readonly string[]
  readonly operations: readonly PictureOperation[]
  /** Orders that were found: indices of operations. */
  readonly orders: readonly (readonly number[])[]
  /** What to look at: the window that cannot be ordered, or the transactions of the first anomaly. */
  readonly focus: { readonly from: number; readonly to: number; readonly operations: readonly number[] } | undefined
  /** Places on the axis. */
  readonly end: number
}

/** Times are places on the axis: the times of the history in order, so that nothing is too short to see. */
interface PictureOperation {
  readonly lane: number
  readonly call: number
  readonly return: number
  readonly text: string
  readonly outcome: Operation['outcome']
  readonly line: number | undefined
}

export function pictureData(result: CheckedResult, operations: readonly Operation[], describe: Describe): PictureData {
  const times = new Set(operations.flatMap((each) => [each.call, each.return]).filter(Number.isFinite))
  const places = new Map([...times].sort((a, b) => a - b).map((time, place) => [time, place]))
  const lanes = new Map<number | string, number>()
  for (const { process } of operations) if (!lanes.has(process)) lanes.set(process, lanes.size)
  const shown = operations.map((each) => ({
    lane: lanes.get(each.process)!,
    call: places.get(each.call)!,
    return: places.get(each.return) ?? places.size,
    text: describe(each),
    outcome: each.outcome,
    line: each.line,
  }))
  const focused = focusOf(result)
  const within = focused?.map((index) => shown[index]!) ?? []
  const ends = within.map((each) => (each.outcome === 'unknown' ? each.call + 1 : each.return))
  return {
    lanes: [...lanes.keys()].map(String),
    operations: shown,
    orders: ordersOf(result),
    focus:
      focused === undefined || focused.length === 0
        ? undefined
        : {
            from: within.reduce((least, { call }) => Math.min(least, call), Number.POSITIVE_INFINITY),
            to: ends.reduce((most, end) => Math.max(most, end), 0),
            operations: focused,
          },
    end: places.size,
  }
}

function focusOf(result: CheckedResult): readonly number[] | undefined {
  if ('anomalies' in result) return result.anomalies[0]?.transactions
  return result.verdict === 'illegal' ? result.window.operations : undefined
}

function ordersOf(result: CheckedResult): readonly (readonly number[])[] {
  if ('anomalies' in result || result.verdict === 'unknown') return []
  return result.verdict === 'ok' ? result.linearizations : result.longest.slice(0, 1)
}

/** `write(3)`, `read() = 4`, `[r x [1], append y 2]`: what is in the input and output, without a model. */
export function describePlainly({ input, output, outcome }: Operation): string {
  if (Array.isArray(input)) return ((outcome === 'ok' ? output : input) as readonly unknown[]).map(micro).join('  ')
  if (typeof input !== 'object' || input === null)
    return `${shown(input)}${outcome === 'ok' ? ` = ${shown(output)}` : ''}`
  const { f, ...rest } = input as { readonly f?: unknown }
  const args = Object.values(rest).filter((each) => each !== undefined)
  return `${f ?? ''}(${args.map(shown).join(', ')})${output === undefined ? '' : ` = ${shown(output)}`}`
}

function micro(part: unknown): string {
  return Array.isArray(part) ? part.map((each, at) => (at === 0 ? String(each) : shown(each))).join(' ') : shown(part)
}

const MAX_SHOWN = 80

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text
}
