/**
 * Results of a call for other tools: annotations on GitHub, and files in the formats of
 * report/formats.ts. These are written before the first search, so that a wrong path costs no time, and
 * again after each property, so that a kill loses at most the property under way.
 */
import { relative, resolve } from 'node:path'
import { printError } from '#shared/print'
import type { Frame } from '../contract/execution.ts'
import type { Verdict } from '../contract/verdict.ts'
import { annotation } from '../report/annotation.ts'
import type { FailureText } from '../report/failure.ts'
import { FORMATS, type ResultFormats } from '../report/formats.ts'
import type { Outcome, ResultFormat } from '../report/outcome.ts'
import { failureProblem, inconclusiveProblem, type Located, type Problem } from '../report/problem.ts'
import type { Target } from '../session/targets.ts'
import { writeResultFile } from '../storage/result-file.ts'
import { type ExitStatus, STATUS, UsageError } from './exit-status.ts'

/** What a result is of. */
interface Named extends Pick<Target, 'file'> {
  readonly property: { readonly name: string }
}

/** A file in a format, as a flag names it. */
interface ResultFile {
  readonly format: ResultFormat
  readonly flag: string
  readonly path: string
}

export class Results {
  readonly #root: string
  readonly #files: readonly ResultFile[]
  readonly #annotates = process.env.GITHUB_ACTIONS === 'true'
  readonly #repository = process.env.GITHUB_WORKSPACE || process.cwd()
  readonly #outcomes: Outcome[] = []
  /** Of the property under way. */
  #problems: Problem[] = []

  /**
   * @param flags of the call, some of which name files
   * @throws UsageError if a file cannot be written
   */
  constructor(root: string, flags: Readonly<Record<string, unknown>>, formats: ResultFormats = FORMATS) {
    this.#root = root
    this.#files = resultFiles(flags, formats)
    for (const [index, { flag, path }] of this.#files.entries()) {
      const other = this.#files.slice(index + 1).find((each) => resolve(each.path) === resolve(path))
      if (other !== undefined) throw new UsageError(`${flag} and ${other.flag} name the same file: ${path}`)
    }
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

  failed(target: Named, text: FailureText, confirmed: boolean): void {
    this.#add(failureProblem(this.#located(target), text, confirmed))
  }

  /** An ordinary test is flaky. @param line of its declaration, which is annotated too */
  flaky(test: Named, text: FailureText, headline: string, line: number): void {
    const located = this.#located(test)
    const problem = { ...failureProblem(located, text, true), rule: 'flaky', headline } as const
    this.#annotate(problem)
    const { file, property } = test
    this.#outcomes.push({ file, property: property.name, verdict: 'failed', timeMs: 0, problems: [problem] })
    const place = { path: relative(this.#repository, resolve(this.#root, test.file)), line }
    if (place.line !== problem.place.line) this.#annotate({ ...problem, place })
  }

  /** An ordinary test is not flaky. */
  passed({ file, property }: Named): void {
    this.#outcomes.push({ file, property: property.name, verdict: 'passed', timeMs: 0, problems: [] })
  }

  /** @param text the whole report, if it says more than the headline */
  inconclusive(target: Named, headline: string, frames?: readonly Frame[], text?: string): void {
    this.#add(inconclusiveProblem(this.#located(target), headline, frames, text))
  }

  /** A property was run. */
  ended(target: Named, verdict: Verdict, timeMs: number): void {
    // Nothing but a signal leaves a property undecided without a reason of its own.
    if (verdict !== 'passed' && this.#problems.length === 0) this.inconclusive(target, 'interrupted')
    const { file, property } = target
    this.#outcomes.push({ file, property: property.name, verdict, timeMs, problems: this.#problems })
    this.#problems = []
    this.#write(false)
  }

  skipped({ file, property }: Named, why: string): void {
    this.#outcomes.push({ file, property: property.name, verdict: 'skipped', why, timeMs: 0, problems: [] })
  }

  /** Writes the files for the last time. Returns the status of a call that could not write one. */
  end(interrupted: boolean): ExitStatus {
    const problems = this.#write(!interrupted)
    for (const problem of problems) printError(`norn: ${problem}`)
    return problems.length === 0 ? STATUS.passed : STATUS.usage
  }

  #located({ file, property }: Named): Located {
    return { root: this.#root, repository: this.#repository, file, property: property.name }
  }

  #add(problem: Problem): void {
    this.#problems.push(problem)
    this.#annotate(problem)
  }

  /** On standard error, which GitHub reads too: standard output may hold JSON lines, or be a file. */
  #annotate(problem: Problem): void {
    // biome-ignore lint/suspicious/noConsole: a command to GitHub, of which every text is escaped
    if (this.#annotates) console.error(annotation(problem))
  }

  /** Returns the files that could not be written, each with the reason. */
  #write(isComplete: boolean): string[] {
    return this.#files.flatMap(({ format, flag, path }) => {
      const why = writeResultFile(path, format.textOf({ outcomes: this.#outcomes, isComplete }))
      return why === undefined ? [] : [`${flag}: cannot write ${path}: ${why}`]
    })
  }
}

/** The files that the flags of a call name. */
export function resultFiles(flags: Readonly<Record<string, unknown>>, formats: ResultFormats = FORMATS): ResultFile[] {
  return Object.entries(formats).flatMap(([name, format]) => {
    const path = flags[name]
    return typeof path === 'string' ? [{ format, flag: format.flag.split(' ', 1)[0]!, path }] : []
  })
}
