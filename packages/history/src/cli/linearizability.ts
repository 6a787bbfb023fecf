/** `check FILE --model M`: whether a history is linearizable, or sequentially consistent. */

import { UsageError } from '#shared/cli/exit-status'
import { plural } from '#shared/text'
import type { Operation } from '../history/operation.ts'
import { checkLinearizable } from '../linearizability/check.ts'
import type { IllegalResult } from '../linearizability/result.ts'
import { MODELS } from '../models/catalogue.ts'
import { type ModelName, readingFor } from '../models/inputs.ts'
import type { ObjectModel } from '../models/model.ts'
import { readHistoryFile } from '../node/read-file.ts'
import { historyPage } from '../picture/history-page.ts'
import { type Bounds, type CheckCommandOptions, type Report, readingBounds, shownFile, sizeText } from './report.ts'

const CONSISTENCIES = ['linearizable', 'sequential'] as const

/** How they are called in a verdict. */
const ADJECTIVES = { linearizable: 'linearizable', sequential: 'sequentially consistent' } as const

/** Bound on the operations shown of an order. */
const MAX_SHOWN = 20

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
  const { initial } = options
  const model: ObjectModel = initial === undefined ? MODELS[name] : { ...MODELS[name], init: () => initial }
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
  { longest, explanation }: IllegalResult,
  operations: readonly Operation[],
  model: ObjectModel,
): readonly string[] {
  const order = longest[0]?.map((index) => describe(operations[index]!, model)) ?? []
  if (order.length === 0) return explanation.split('\n')
  return [
    ...explanation.split('\n'),
    '',
    `The longest order that the model allows has ${plural(order.length, 'operation')}, and ends with:`,
    '',
    ...order.slice(-MAX_SHOWN).map((text) => `  ${text}`),
  ]
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

/** `write(3)`, with what is not known about it. */
function describe({ input, output, outcome }: Operation, model: ObjectModel): string {
  const text = model.describe?.(input, output, outcome === 'ok') ?? JSON.stringify(input)
  return outcome === 'ok' ? text : `${text} (${outcome === 'fail' ? 'failed' : 'outcome unknown'})`
}
