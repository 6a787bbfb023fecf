/**
 * A shell that runs the programs of a line, each as a process of its own: lists and pipelines (POSIX, XCU 2.9), with
 * what `shell-list.ts` knows. Follows dash: a signal ends the shell, and its programs go on.
 */
import { constants } from 'node:os'
import { resolve } from 'node:path'
import type { Arrival } from '../loop/async-handles.ts'
import type { Step } from '../loop/causality.ts'
import { Side } from '../network/connection.ts'
import { BEGIN_US, type Born, Child, type Output, type ProcessesHost, type Reaper } from './child.ts'
import type { CommandContext, ShellItem, ShellPart } from './commands.ts'
import { start } from './output.ts'

export interface Line {
  readonly items: readonly ShellItem[]
  readonly context: CommandContext
  /** Where its descriptors lead. */
  readonly outputs: readonly Output[]
  /** Starts a program whose descriptors lead there. */
  launch(part: ShellPart, context: CommandContext, outputs: readonly Output[], onExit: Born['onExit']): Child
}

const [STDOUT, STDERR] = [1, 2]

/** Added to the number of a signal that ended a program. */
const BY_SIGNAL = 128

/** What dash says of a program that a signal has ended. */
const SAID: Readonly<Record<string, string>> = {
  SIGTERM: 'Terminated',
  SIGKILL: 'Killed',
  SIGHUP: 'Hangup',
  SIGQUIT: 'Quit',
  SIGABRT: 'Aborted',
  SIGALRM: 'Alarm clock',
  SIGUSR1: 'User defined signal 1',
  SIGUSR2: 'User defined signal 2',
}

export class Shell extends Child {
  readonly #line: Line
  readonly #step: Step
  readonly #delayUs: number
  /** What it has started. */
  readonly programs: Child[] = []
  #context: CommandContext
  #code = 0
  #isOrphan = false

  constructor(host: ProcessesHost, reaper: Reaper, born: Born, line: Line) {
    super(host, reaper, born)
    this.#line = line
    this.#context = line.context
    const { step, delayUs } = host.announce('spawn', this.name, 'callback')
    this.#step = step
    this.#delayUs = delayUs
    this.readyUs = host.nowUs() + BEGIN_US + delayUs
  }

  signal(name: string): void {
    if (this.exit === undefined && !['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH'].includes(name)) this.#end(0, name)
  }

  override next(nowUs: number): Arrival | undefined {
    if (this.readyUs > nowUs || this.exit !== undefined) return undefined
    this.readyUs = Number.POSITIVE_INFINITY
    return this.arrival('spawn', this.#step, this.#delayUs, () => this.#run(0))
  }

  override orphan(): void {
    this.#isOrphan = true
    if (this.exit !== undefined) super.orphan()
  }

  /** Runs the items from one on. */
  #run(from: number): void {
    for (let index = from; index < this.#line.items.length && this.exit === undefined; index++) {
      const { after, pipeline } = this.#line.items[index]!
      if ((after === '&&' && this.#code !== 0) || (after === '||' && this.#code === 0)) continue
      const [first] = pipeline
      if (!first!.isBuiltin) {
        this.#start(pipeline, () => this.#run(index + 1))
        return
      }
      if (this.#runsBuiltin(first!)) break
    }
    if (this.exit === undefined) this.#end(this.#code, '')
  }

  /** @returns whether the shell exits */
  #runsBuiltin({ runs, redirections }: ShellPart): boolean {
    if ('nodeArgs' in runs) throw new Error('Node is no command of a shell')
    const { name, args } = runs
    if (name === 'exit') {
      if (args[0] !== undefined) this.#code = Number(args[0])
      return true
    }
    const outcome = start(runs, new Uint8Array(), this.#context)
    if (outcome instanceof Promise) throw new Error('a command of a shell answers at once')
    this.#code = outcome.code
    if (name === 'cd' && outcome.code === 0)
      this.#context = { ...this.#context, cwd: resolve(this.#context.cwd, args[0]!) }
    this.#complain(outcome.stderr, this.#redirected(redirections)[STDERR])
    return false
  }

  #complain(text: string | Uint8Array, error: Output = this.#line.outputs[STDERR]): void {
    if (text.length === 0) return
    const bytes = Buffer.from(text)
    if (typeof error === 'function') error(bytes)
    else if (error !== undefined && !error.peer.isClosed) error.send(bytes)
  }

  #start(pipeline: readonly ShellPart[], done: () => void): void {
    const { outputs, launch } = this.#line
    let left = pipeline.length
    let input = outputs[0]
    for (const [index, part] of pipeline.entries()) {
      const isLast = index === pipeline.length - 1
      const [writer, reader] = isLast ? [outputs[STDOUT], undefined] : this.#pipe()
      const mine = this.#redirected(part.redirections, writer)
      const given = [input, mine[STDOUT], mine[STDERR]]
      // An end of a pipe between two programs is theirs alone.
      for (const each of given) if (each instanceof Side && outputs.includes(each)) each.hold()
      if (writer instanceof Side && !outputs.includes(writer) && !given.includes(writer)) writer.close()
      const context = { ...this.#context, env: { ...this.#context.env, ...part.env } }
      const program = launch(part, context, given, (code, signal) => {
        if (pipeline.length === 1 && signal in SAID) this.#complain(`${SAID[signal]}\n`)
        if (isLast) this.#code = signal === '' ? code : BY_SIGNAL + constants.signals[signal as NodeJS.Signals]
        if (--left === 0 && this.exit === undefined) done()
      })
      this.programs.push(program)
      input = reader
    }
  }

  /** The two ends of a pipe: what is written to the first is read from the second. */
  #pipe(): [Side, Side] {
    const ends: [Side, Side] = [
      new Side(`${this.name} pipe`, 'pipe', this.host),
      new Side(`${this.name} pipe`, 'pipe', this.host),
    ]
    Side.pair(...ends)
    return ends
  }

  #redirected(redirections: readonly string[], stdout: Output = this.#line.outputs[STDOUT]): Output[] {
    const all = [undefined, stdout, this.#line.outputs[STDERR]]
    for (const each of redirections) {
      if (each === '>&2') all[STDOUT] = all[STDERR]
      else if (each === '2>&1') all[STDERR] = all[STDOUT]
      else all[each.startsWith('2') ? STDERR : STDOUT] = undefined
    }
    return all
  }

  #end(code: number, signal: string): void {
    let closedUs = this.host.nowUs()
    for (const side of this.#line.outputs) {
      if (!(side instanceof Side)) continue
      side.close()
      closedUs = side.outbound.arrival(closedUs)
    }
    this.ended({ code, signal }, closedUs)
    if (this.#isOrphan) super.orphan()
  }
}
