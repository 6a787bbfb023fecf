/** The orders of generated programs that stock Node shows. */
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Preloads } from '../../preloads.ts'
import type { Orders } from './norn.ts'
import { describe, type Program } from './program.ts'

const run = promisify(execFile)
const CHILD = resolve(import.meta.dirname, 'stock-child.ts')
const MAIN_SCRIPT = resolve(import.meta.dirname, 'stock-main.cts')

/** So that many processes share many runs. */
const RUNS_OF_A_PROCESS = 50

/** Runs of a main script have a process each, so there are a quarter as many. */
export interface StockRuns {
  readonly plain: number
  readonly heldUp: number
}

/**
 * Stock Node, plain and with threads held up (hold-up.c).
 *
 * @throws Error without a C compiler
 */
export class Stock {
  readonly #preloads: Preloads

  /** Held-up processes mostly sleep: more of them than cores. */
  readonly #processes = new Semaphore(6 * availableParallelism())

  private constructor(preloads: Preloads) {
    this.#preloads = preloads
  }

  static async open(): Promise<Stock> {
    return new Stock(await Preloads.open())
  }

  /** How often each order of a program came. */
  async orders(program: Program, { plain, heldUp }: StockRuns): Promise<Orders> {
    const total: Orders = new Map()
    const counted: Promise<void>[] = []
    const count = (runs: number, preload: string) => {
      // A main script runs once a process.
      const isMain = program.start === 'main'
      const each = isMain ? 1 : Math.min(runs, RUNS_OF_A_PROCESS)
      const processes = Math.ceil(runs / (isMain ? 4 : each))
      for (let left = processes; left > 0; left--) counted.push(this.#count(total, program, each, preload))
    }
    count(plain, '')
    count(heldUp, this.#preloads.holdUp)
    await Promise.all(counted)
    return total
  }

  async #count(total: Orders, program: Program, runs: number, preload: string): Promise<void> {
    const args = ['--no-warnings', program.start === 'main' ? MAIN_SCRIPT : CHILD, JSON.stringify({ program, runs })]
    const env = { ...process.env, LD_PRELOAD: preload, NODE_COMPILE_CACHE: join(this.#preloads.folder, 'cache') }
    await this.#processes.acquire()
    const { stdout } = await run(process.execPath, args, { env }).finally(() => this.#processes.release())
    if (stdout === '') throw new Error(`the loop ended before the program did:\n${describe(program)}`)
    for (const [order, times] of Object.entries(JSON.parse(stdout) as Record<string, number>)) {
      total.set(order, (total.get(order) ?? 0) + times)
    }
  }

  close(): void {
    this.#preloads.close()
  }
}

class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(free: number) {
    this.#free = free
  }

  async acquire(): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
