/**
 * Inconclusive executions for a person: the reason with its source line, or the step at which two
 * executions diverged.
 */
import type { Divergence, DivergentStep } from '../contract/execution.ts'
import { describeReason, type InconclusiveReport } from '../contract/inconclusive.ts'
import { frameLine } from '../execution/frames.ts'
import { printableLine } from './printable.ts'
import type { Style } from './style.ts'

/** @param scope the executions that are inconclusive, such as `3 of 20 executions` */
export function inconclusiveText(property: string, report: InconclusiveReport, style: Style, scope?: string): string {
  const head = `${style.warning('?')} ${style.bold(printableLine(property))}: inconclusive`
  const lines = reasonLines(report).map((line) => `  ${line}`)
  return [scope === undefined ? head : `${head} (${scope})`, ...lines].join('\n')
}

const STUB_IT = 'replace it by a stub, or keep it out of the property'

/** The reason, then the stack or the divergence. */
export function reasonLines({ reason, frames }: InconclusiveReport): string[] {
  const [innermost, ...callers] = frames
  if (reason.kind === 'nondeterminism') return divergenceLines(reason.divergence)
  const text = printableLine(describeReason(reason))
  if (innermost === undefined) return [text]
  const place = `${innermost.file}:${innermost.line}`
  const help = reason.kind === 'uncontrolled operation' ? [STUB_IT] : []
  return [
    `${text} (${place})`,
    ...(callers.length === 0 ? [] : frames.map((frame) => frameLine(frame).slice(2))),
    ...help,
  ]
}

/** The step at which two executions diverged: a line for each, with the source line below. */
export function divergenceLines({ step, first, second }: Divergence): string[] {
  const side = (title: string, { text, frame }: DivergentStep) => [
    `${title} ${printableLine(text)}`,
    ...(frame === undefined ? [] : [frameLine(frame).slice(2)]),
  ]
  return [
    `nondeterminism detected at step ${step} of the trace:`,
    ...side('first: ', first),
    ...side('second:', second),
  ]
}
