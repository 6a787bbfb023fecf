/**
 * Results of a call for other tools: annotations on GitHub, and the files of `--junit` and
 * `--sarif`. These are written before the first search, so that a wrong path costs no time, and
 * again after each property, so that a kill loses at most the property under way.
 */
import { resolve } from 'node:path'
import type { Frame } from '../contract/execution.ts'
import type { Verdict } from '../contract/verdict.ts'
import { annotation } from '../report/annotation.ts'
import type { FailureText } from '../report/failure.ts'
import { junitXml } from '../report/junit.ts'
import type { Outcome } from '../report/outcome.ts'
import { failureProblem, inconclusiveProblem, type Located, type Problem } from '../report/problem.ts'
import { sarifText } from '../report/sarif.ts'
import type { Target } from '../session/targets.ts'
import { version } from '../session/version.ts'
import { writeResultFile } from '../storage/result-file.ts'
import { type ExitStatus, STATUS, UsageError } from './exit-status.ts'

export interface ResultFiles {
  readonly junit?: string
  readonly sarif?: string
}

export class Results {
  readonly #root: string
  readonly #files: ResultFiles
  readonly #annotates = process.env.GITHUB_ACTIONS === 'true'
  readonly #repository = process.env.GITHUB_WORKSPACE || process.cwd()
  readonly #outcomes: Outcome[] = []
  /** Of the property under way. */
  #problems: Problem[] = []

  /** @throws UsageError if a file cannot be written */
  constructor(root: string, files: ResultFiles) {
    this.#root = root
    this.#files = files
    const { junit, sarif } = files
    if (junit !== undefined && sarif !== undefined && resolve(junit) === resolve(sarif))
      throw new UsageError(`--junit and --sarif name the same file: ${junit}`)
    const [problem] = this.#write(false)
    if (problem !== undefined) throw new UsageError(problem)
  }

  /** A file does not load. */
  unloaded(file: string, message: string): void {
    const property = 'loading'
    const located = { root: this.#root, repository: this.#repository, file, property }
    const lines = message.split('\n')
    const headline = [...new Set([lines[0]!, lines.at(-1)!.trim()])].join(': ')
    this.#add(inconclusiveProblem(located, headline, [], message))
    this.#outcomes.push({ file, property, verdict: 'undecided', timeMs: 0, problems: this.#problems })
    this.#problems = []
  }

  failed(target: Target, text: FailureText, confirmed: boolean): void {
    this.#add(failureProblem(this.#located(target), text, confirmed))
  }

  /** @param text the whole report, if it says more than the headline */
  inconclusive(target: Target, headline: string, frames?: readonly Frame[], text?: string): void {
    this.#add(inconclusiveProblem(this.#located(target), headline, frames, text))
  }

  /** A property was run. */
  ended(target: Target, verdict: Verdict, timeMs: number): void {
    // Nothing but a signal leaves a property undecided without a reason of its own.
    if (verdict !== 'passed' && this.#problems.length === 0) this.inconclusive(target, 'interrupted')
    const { file, property } = target
    this.#outcomes.push({ file, property: property.name, verdict, timeMs, problems: this.#problems })
    this.#problems = []
    this.#write(false)
  }

  skipped({ file, property }: Target, why: string): void {
    this.#outcomes.push({ file, property: property.name, verdict: 'skipped', why, timeMs: 0, problems: [] })
  }

  /** Writes the files for the last time. Returns the status of a call that could not write one. */
  end(interrupted: boolean): ExitStatus {
    const problems = this.#write(!interrupted)
    for (const problem of problems) console.error(`norn: ${problem}`)
    return problems.length === 0 ? STATUS.passed : STATUS.usage
  }

  #located({ file, property }: Target): Located {
    return { root: this.#root, repository: this.#repository, file, property: property.name }
  }

  /** Standard error, which GitHub reads too: standard output may hold JSON lines, or be a file. */
  #add(problem: Problem): void {
    this.#problems.push(problem)
    if (this.#annotates) console.error(annotation(problem))
  }

  /** Returns the files that could not be written, each with the reason. */
  #write(complete: boolean): string[] {
    const { junit, sarif } = this.#files
    const problems = () => this.#outcomes.flatMap((outcome) => outcome.problems)
    return [
      ...(junit === undefined ? [] : problemOf('--junit', junit, junitXml(this.#outcomes))),
      ...(sarif === undefined ? [] : problemOf('--sarif', sarif, sarifText(problems(), version(), complete))),
    ]
  }
}

function problemOf(flag: string, path: string, text: string): string[] {
  const why = writeResultFile(path, text)
  return why === undefined ? [] : [`${flag}: cannot write ${path}: ${why}`]
}
