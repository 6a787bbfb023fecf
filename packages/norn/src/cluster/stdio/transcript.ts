/** The exchanges of executions, and where those of two runs differ. */
import type { CheckResult } from './check-result.ts'
import { cut } from './program-failure.ts'
import type { Exchanged } from './program-host.ts'
import { parseLine } from './protocol.ts'

/** The exchanges of the current execution, one string each. */
export class Transcript {
  lines: string[] = []

  add({ id, sent, received }: Exchanged): void {
    // The first line is a reset or begins with one. A reset that ends an execution has a higher id.
    if (id === 1) this.lines = []
    if (this.lines.length < MAX_LINES) this.lines.push(`${sent}\n${received}`)
  }
}

const MAX_LINES = 5000

/** A transcript without ids and batches, as JSON; at most `MAX_LINES`, as of single commands. */
export function singly(lines: readonly string[]): readonly string[] {
  const all = lines.flatMap((line) => {
    const [sent, received] = line.split('\n').map(parseLine)
    const { id: _, ...command } = sent!
    // Counters stand beside all answers of a batch.
    const { id: _id, coverage, ...answer } = received!
    if (command.command !== 'batch') return [`${JSON.stringify(command)}\n${JSON.stringify(answer)}`]
    const answers = answer.answers as readonly unknown[]
    const commands = command.commands as readonly unknown[]
    return answers.map((each, at) => `${JSON.stringify(commands[at])}\n${JSON.stringify(each)}`)
  })
  return all.slice(0, MAX_LINES)
}

/** Compares the answers of two runs of the same executions. */
export function same(
  check: string,
  firstRun: readonly (readonly string[])[],
  secondRun: readonly (readonly string[])[],
  text: string,
  hint: string,
): CheckResult {
  for (let execution = 0; execution < firstRun.length; execution++) {
    const [one, other] = [firstRun[execution]!, secondRun[execution]!]
    for (let at = 0; at < Math.max(one.length, other.length); at++) {
      if (one[at] === other[at]) continue
      const [sent = '', first = 'nothing'] = one[at]?.split('\n') ?? []
      const second = other[at]?.split('\n')[1] ?? 'nothing'
      const details = [
        `  sent: ${cut(sent)}`,
        `  first answer: ${differing(first, second)}`,
        `  second answer: ${differing(second, first)}`,
      ]
      return { check, verdict: 'failed', text: `violated: ${text} (${hint})`, details: details.join('\n') }
    }
  }
  return { check, verdict: 'passed', text }
}

const SHOWN_BEFORE = 60

/** A line, cut around the first difference from another. */
function differing(line: string, other: string): string {
  let at = 0
  while (at < line.length && line[at] === other[at]) at++
  const from = Math.max(0, at - SHOWN_BEFORE)
  return `${from > 0 ? '…' : ''}${cut(line.slice(from))}`
}
