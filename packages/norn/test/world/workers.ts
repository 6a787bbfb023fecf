/** Workers over the fixtures of this folder, and the plans that tests ask them for. */

import { fileURLToPath } from 'node:url'
import { NO_CHOICES, UNBOUNDED } from '../../src/contract/choices.ts'
import type { ExecutionResult } from '../../src/contract/execution.ts'
import type { Explanation } from '../../src/contract/explanation.ts'
import type { Plan } from '../../src/contract/plan.ts'
import type { ListedProperty } from '../../src/process/protocol.ts'
import type { Worker, WorkerOptions } from '../../src/process/worker.ts'
import { FileProcess } from '../../src/session/file-process.ts'

export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '')

export function fixture(name: string): WorkerOptions {
  return {
    file: fileURLToPath(new URL(`fixtures/${name}.fuzz.ts`, import.meta.url)),
    root: ROOT,
    aliases: [],
    hangMs: 120_000,
  }
}

/** What stock Node would do: nothing is late. */
export const NATURAL: Plan = { input: { from: 'tape' }, choices: { from: 'record', choices: NO_CHOICES } }

/** A schedule by chance. */
export function random(seed: number): Plan {
  const estimates = { chains: 2, points: 20, durationUs: 1000 }
  return {
    input: { from: 'tape' },
    choices: { from: 'strategy', strategy: 'random', name: { seed, length: UNBOUNDED }, estimates },
  }
}

/** The process of one fixture with its properties by name; another takes over once its memory has filled. */
export class Fixture {
  readonly properties = new Map<string, ListedProperty>()
  readonly #file: FileProcess

  private constructor(file: FileProcess) {
    this.#file = file
  }

  static async open(name: string, options: Partial<WorkerOptions> = {}): Promise<Fixture> {
    const opened = new Fixture(new FileProcess({ ...fixture(name), ...options }))
    for (const property of await opened.worker.list()) opened.properties.set(property.name, property)
    return opened
  }

  get worker(): Worker {
    return this.#file.worker()
  }

  get names(): string[] {
    return [...this.properties.keys()]
  }

  property(name: string): ListedProperty {
    const found = this.properties.get(name)
    if (found === undefined) throw new Error(`the fixture has no property '${name}'`)
    return found
  }

  /** Runs one execution; what it printed comes with it, whatever its end. */
  async run(name: string, plan: Plan = NATURAL): Promise<ExecutionResult & { explanation: Explanation }> {
    const { result, explanation } = await this.worker.explain(this.property(name), plan)
    return { ...result, explanation }
  }

  /** What was printed, line by line, each a JSON value; fails if the execution did not pass. */
  async printed(name: string, plan: Plan = NATURAL): Promise<unknown[]> {
    const result = await this.run(name, plan)
    if (result.verdict !== 'passed') throw new Error(`${name}: ${JSON.stringify(result.failure ?? result.voided)}`)
    return lines(result).map((line) => JSON.parse(line))
  }

  /** Runs many schedules by chance without explaining them. */
  async runs(name: string, count: number): Promise<ExecutionResult[]> {
    const results: ExecutionResult[] = []
    for (let seed = 0; seed < count; seed++) {
      results.push(await this.worker.execute(this.property(name), seed === 0 ? NATURAL : random(seed)))
    }
    return results
  }

  close(): void {
    this.#file.close()
  }
}

export function lines({ output = '' }: ExecutionResult): string[] {
  return output.split('\n').filter((line) => line !== '')
}
