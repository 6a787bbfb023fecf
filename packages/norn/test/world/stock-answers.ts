/** What the programs of a fixture answer on stock Node. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

/** Bound on the runs of stock Node that an answer is sought in. */
const MAX_RUNS = 20

const at = (name: string) => fileURLToPath(new URL(`fixtures/${name}.ts`, import.meta.url))

/** One run of all programs of a fixture, in their order. */
export function stockRun<Answer>(fixture: string): Record<string, Answer> {
  const printed = execFileSync(process.execPath, ['--no-warnings', at('stock'), at(fixture)], { encoding: 'utf8' })
  return Object.fromEntries(
    printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as [string, Answer]),
  )
}

/** Several runs: timers and the kernel leave some orders open, and a busy machine shows others than a quiet one. */
export class StockAnswers<Answer> {
  readonly #fixture: string
  readonly #runs: Record<string, Answer>[] = []
  /** An answer without what differs from run to run by nature. */
  readonly unified: (answer: Answer) => Answer

  constructor(fixture: string, unified = (answer: Answer) => answer) {
    this.#fixture = fixture
    this.unified = unified
  }

  /** The unified answers of a program in the runs so far; there are more runs until one is the answer `sought`. */
  of(program: string, sought: Answer): readonly Answer[] {
    const answers = this.#runs.map((run) => this.unified(run[program]!))
    const isSought = (answer: Answer) => isDeepStrictEqual(answer, this.unified(sought))
    while (!answers.some(isSought) && this.#runs.length < MAX_RUNS) {
      const run = stockRun<Answer>(this.#fixture)
      this.#runs.push(run)
      answers.push(this.unified(run[program]!))
    }
    return answers
  }
}
