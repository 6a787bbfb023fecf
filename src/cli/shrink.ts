/** `norn shrink FAILURE`: makes a saved failure smaller, and saves it again in its place. */

import { writeFailure } from '../property/failure-file.ts'
import { planOf } from '../property/hunt.ts'
import { Worker } from '../property/worker.ts'
import { failureText } from '../report/failure.ts'
import { statusLine } from '../report/status.ts'
import { terminalStyle } from '../report/style.ts'
import { essential } from '../tape/replay.ts'
import { type ExitStatus, STATUS } from './exit-status.ts'
import { resultFields, voidText } from './fuzz.ts'
import { commandFor } from './invocation.ts'
import { openFailure } from './replay.ts'

export interface ShrinkCommandOptions {
  readonly time?: number
  readonly json: boolean
}

const DEFAULT_TIME_MS = 60_000

export async function shrinkCommand(path: string, options: ShrinkCommandOptions): Promise<ExitStatus> {
  const { saved, start, property, input } = await openFailure(path, [])
  const style = terminalStyle()
  const status = statusLine(process.stderr)
  const say = (text: string) => {
    if (!options.json) console.log(text)
  }
  const worker = new Worker(start)
  try {
    // The arbitraries may still make the input smaller; a structured input is taken as it is.
    const fromTape = { input: { from: 'tape' }, choices: { from: 'record', choices: saved.choices } } as const
    const asSaved = { input, choices: { from: 'record', choices: saved.choices } } as const
    for (const plan of [fromTape, asSaved]) {
      const { first, outcome } = await worker.shrink(property, plan, options.time ?? DEFAULT_TIME_MS, () =>
        status.update(`${property.name}: shrinking`),
      )
      status.clear()
      if (first.verdict === 'void') {
        say(voidText(property.name, first.voided!, style))
        return STATUS.undecided
      }
      if (outcome === undefined) continue
      const { result, explanation } = await worker.explain(
        property,
        planOf({ ...outcome.result, choices: essential(outcome.result.choices!) }),
      )
      const { executions, improvements, complete } = outcome.summary
      writeFailure(path, {
        ...saved,
        failure: result.failure!,
        input: result.input,
        inputText: result.inputText ?? '',
        choices: result.choices!,
        traceHash: result.traceHash!,
        shrunk: true,
      })
      if (options.json)
        console.log(
          JSON.stringify({ type: 'shrink', property: property.name, ...outcome.summary, ...resultFields(result) }),
        )
      const found = `made smaller ${improvements} times in ${executions} executions${complete ? '' : ' (the budget ended it)'}`
      const commands = [[commandFor('replay', path), 'runs it again']] as const
      say(failureText({ property: property.name, result, explanation, found, commands }, style))
      return STATUS.failed
    }
    say(
      `${style.late('?')} ${property.name}\n  it does not fail any more; \`${commandFor('replay', path)}\` looks closer`,
    )
    return STATUS.undecided
  } finally {
    worker.close()
  }
}
