/** `check FILE --model M`: whether a history is linearizable, or sequentially consistent. */
import type { Operation } from '../history/operation.ts'
import { numberText, plural } from '../history/text.ts'
import { checkLinearizable } from '../linearizability/check.ts'
import type { IllegalResult } from '../linearizability/result.ts'
import { MODELS } from '../models/catalogue.ts'
import { type ModelName, readingFor } from '../models/inputs.ts'
import type { ObjectModel } from '../models/model.ts'
import { readHistoryFile } from '../node/read-file.ts'
import { historyPage } from '../picture/history-page.ts'
import { UsageError } from './exit-status.ts'
import { type Bounds, type CheckCommandOptions, type Report, readingBounds, shownFile, sizeText } from './report.ts'

const CONSISTENCIES = ['linearizable', 'sequential'] as const

/** How they are called in a verdict. */
const ADJECTIVES = { linearizable: 'linearizable', sequential: 'sequentially consistent' } as const

/** Bound on the operations shown of a window, and of an order. */
const MAX_SHOWN = 30

/** @throws UsageError, HistoryError, HistoryLimitError */
export async function checkLinearizability(
  file: string,
  name: ModelName,
  options: CheckCommandOptions,
  bounds: Bounds,
): Promise<Report> {
  const consistency = CONSISTENCIES.find((each) => each === (options.consistency ?? CONSISTENCIES[0]))
  if (consistency === undefined)
    throw new UsageError(
      `--consistency ${options.consistency}: expected ${CONSISTENCIES.join(' or ')} with --model; others need --isolation`,
    )
  const history = await readHistoryFile(file, readingFor(name), readingBounds(options, bounds))
  const { operations } = history
  const model: ObjectModel = MODELS[name]
  const result = checkLinearizable(history, model, {
    consistency,
    budgetMs: bounds.budgetMs(),
    memoryMb: bounds.memoryLeftMb(),
  })
  const keys = new Set(operations.map(({ input }) => input.key).filter((key) => key !== undefined)).size
  const size = `${sizeText(operations)}${keys === 0 ? '' : `, ${plural(keys, 'key')}`}`
  const json = { consistency, model: name, operations: operations.length, keys }
  const adjective = ADJECTIVES[consistency]
  const page = () => historyPage(result, history, { title: shownFile(file), asked: adjective, model })
  switch (result.verdict) {
    case 'ok':
      return { verdict: 'ok', headline: `${adjective}: ${size}`, details: [], json, page }
    case 'unknown':
      return {
        verdict: 'unknown',
        headline: `unknown whether ${adjective}: ${result.reason}`,
        details: [size],
        json: { ...json, reason: result.reason },
        page,
      }
    case 'illegal':
      return {
        verdict: 'illegal',
        headline: `not ${adjective}: ${size}`,
        details: illegalText(result, operations, model),
        json: { ...json, ...illegalJson(result, operations, model) },
        page,
      }
  }
}

function illegalText(
  { partition, window, longest, explanation }: IllegalResult,
  operations: readonly Operation[],
  model: ObjectModel,
): readonly string[] {
  const key = partition === undefined ? '' : ` on key ${JSON.stringify(partition)}`
  const rows = window.operations.slice(0, MAX_SHOWN).map((index) => {
    const operation = operations[index]!
    return [linesText(operation), String(operation.process), describe(operation, model)] as const
  })
  const [lineWidth, processWidth] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  const order = longest[0]?.map((index) => describe(operations[index]!, model)) ?? []
  return [
    ...(explanation === '' ? [] : explanation.split('\n')),
    '',
    `The operations${key} that no order allows:`,
    '',
    ...rows.map(
      ([lines, process, text]) => `  ${lines.padEnd(lineWidth!)}  process ${process.padEnd(processWidth!)}  ${text}`,
    ),
    ...more(window.operations.length - rows.length, 'operation'),
    ...(order.length === 0
      ? []
      : [
          '',
          `The longest order that the model allows has ${plural(order.length, 'operation')}, and ends with:`,
          '',
          ...order.slice(-MAX_SHOWN).map((text) => `  ${text}`),
        ]),
  ]
}

function more(count: number, what: string): readonly string[] {
  return count > 0 ? [`  and ${plural(count, `more ${what}`)}`] : []
}

function illegalJson(
  { partition, window, longest, explanation }: IllegalResult,
  operations: readonly Operation[],
  model: ObjectModel,
) {
  const shown = (index: number) => {
    const { process, line, returnLine, outcome } = operations[index]!
    return { process, line, returnLine, outcome, operation: describe(operations[index]!, model) }
  }
  return {
    ...(partition !== undefined && { key: partition }),
    explanation,
    window: window.operations.map(shown),
    longest: (longest[0] ?? []).map(shown),
  }
}

/** `lines 3-8`: of the call and of the return. */
function linesText({ line, returnLine }: Operation): string {
  if (line === undefined) return ''
  return returnLine === undefined ? `line ${numberText(line)}` : `lines ${numberText(line)}-${numberText(returnLine)}`
}

/** `write(3)`, with what is not known about it. */
function describe({ input, output, outcome }: Operation, model: ObjectModel): string {
  const text = model.describe?.(input, output, outcome === 'ok') ?? JSON.stringify(input)
  return outcome === 'ok' ? text : `${text} (${outcome === 'fail' ? 'failed' : 'outcome unknown'})`
}
