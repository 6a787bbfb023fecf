/**
 * Exchanges commands and answers with a program, which is started when it is first needed, and again
 * at the first reset after it was lost.
 *
 * Invariants: an answer has the id of its command. The answers to a batch are given out one by one, as
 * if each command had been sent alone: a failure is thrown in place of the answer that it belongs to.
 * A reset restarts the ids, so what is sent does not
 * depend on earlier executions. Nothing is in flight between two executions: `settle` sends a reset
 * of its own, so an extra line is reported in the execution that wrote it.
 */
import type { NodeId } from '../system.ts'
import { ProgramCoverage } from './program-coverage.ts'
import { ProgramFailure, ReportedFailure } from './program-failure.ts'
import { type Ending, type ProcessOptions, ProgramProcess } from './program-process.ts'
import {
  type Answer,
  type Command,
  type Hello,
  PROTOCOL_VERSION,
  parseAnswer,
  parseBatch,
  parseError,
  parseHello,
  parseLine,
  ShapeError,
} from './protocol.ts'

export interface HostOptions extends ProcessOptions {
  /** The names of the nodes that are requested in `hello`; undefined: the program's own. */
  readonly nodes: readonly NodeId[] | undefined
  /** Whether commands are batched if the program takes batches. Default: true. */
  readonly batches?: boolean
  /** Called after each exchange. */
  readonly onExchange?: (exchanged: Exchanged) => void
}

/** A command and its answer. */
export interface Exchanged {
  /** Counted from 1 in each execution, which begins with a reset. */
  readonly id: number
  readonly command: string
  /** The lines. */
  readonly sent: string
  readonly received: string
}

/** A command, also one that no program knows. */
interface AnyCommand {
  readonly command: string
  /** Of a batch. */
  readonly commands?: readonly AnyCommand[]
}

/** An answer before its fields are validated, and its line. */
interface Answered {
  readonly answer: Readonly<Record<string, unknown>>
  readonly line: string
}

export class ProgramHost {
  readonly #options: HostOptions
  #process: ProgramProcess | undefined
  #hello: Hello | undefined
  #nodes: ReadonlySet<NodeId> = new Set()
  #coverage: ProgramCoverage | undefined
  /** The id of the last command. */
  #id = 0
  #lastSent = ''
  /** What was sent in a batch and answered, but not given out yet. */
  #pending: { readonly command: Command; readonly answer: Answered['answer'] }[] = []
  /** Whether an execution has begun and is not settled. */
  #begun = false

  constructor(options: HostOptions) {
    this.#options = options
  }

  /** The program's answer to `hello`; starts the program if necessary. */
  get hello(): Hello {
    return (this.#hello ??= this.#start())
  }

  get batches(): boolean {
    return this.#options.batches !== false && this.hello.batches
  }

  /** Whether answers to a batch are left for `next`. */
  get hasNext(): boolean {
    return this.#pending.length > 0
  }

  /** Hits of the program's counters in this execution; undefined if it has none. */
  get counters(): Uint32Array | undefined {
    return this.#coverage?.counters
  }

  /** The process id; undefined if the program does not run. */
  get pid(): number | undefined {
    return this.#process?.isOpen ? this.#process.pid : undefined
  }

  /**
   * Begins an execution, in a fresh process if the last one was lost or fails at the reset: such a
   * failure belongs to an earlier execution.
   *
   * @param following commands in the same batch, for `next`; only if the program takes batches
   */
  reset(seed: number, following: readonly Command[] = []): Answer {
    try {
      this.settle()
    } catch {
      // A failure of the previous execution, which was not settled.
    }
    if (this.#process?.isOpen) {
      try {
        return this.#reset(seed, following)
      } catch (error) {
        if (!(error instanceof ProgramFailure)) throw error
      }
    }
    this.#hello = this.#start()
    return this.#reset(seed, following)
  }

  #reset(seed: number, following: readonly Command[]): Answer {
    this.#process!.discardStderr()
    this.#begun = true
    this.#id = 0
    this.#pending = []
    this.#coverage?.reset()
    const reset: Command = { command: 'reset', seed }
    if (following.length === 0) return this.perform(reset)
    this.batch([reset, ...following])
    return this.next()
  }

  /**
   * Sends one command.
   *
   * @throws ReportedFailure if the program answers with an error; ProgramFailure if the answer is
   *   missing or wrong
   */
  perform(command: Command): Answer {
    const { answer, line } = this.#exchange(command)
    try {
      return parseAnswer(answer, command.command, this.#nodes)
    } catch (error) {
      throw this.#misshapen(error, command, line)
    }
  }

  /**
   * Sends commands in one line, for `next`. The program must take batches.
   *
   * @throws as `perform`, if the answer as a whole is missing, wrong or an error
   */
  batch(commands: readonly Command[]): void {
    const batch = { command: 'batch', commands } as const
    const { answer, line } = this.#exchange(batch)
    try {
      this.#pending = parseBatch(answer, commands.length).map((each, index) => ({
        command: commands[index]!,
        answer: each,
      }))
    } catch (error) {
      throw this.#misshapen(error, batch, line)
    }
  }

  /** The next answer to a batch. @throws as `perform` */
  next(): Answer {
    const { command, answer } = this.#pending.shift()!
    try {
      const error = parseError(answer)
      if (error !== undefined) throw new ReportedFailure(error, JSON.stringify(command))
      return parseAnswer(answer, command.command, this.#nodes)
    } catch (error) {
      throw this.#misshapen(error, command, JSON.stringify(answer), JSON.stringify(command))
    }
  }

  /** Ends an execution, and finds extra lines. @throws as `perform` */
  settle(): void {
    if (!this.#begun || !this.#process?.isOpen) return
    this.#begun = false
    this.#pending = []
    this.perform({ command: 'reset', seed: 0 })
  }

  /** Ends the program; the next reset starts it again. @param graceMs as for `ProgramProcess.end` */
  end(graceMs?: number): Ending | undefined {
    this.#begun = false
    return this.#process?.end(graceMs)
  }

  #start(): Hello {
    const { nodes } = this.#options
    this.#process = new ProgramProcess(this.#options)
    this.#id = -1
    this.#begun = false
    const command: Command = { command: 'hello', protocol: PROTOCOL_VERSION, ...(nodes === undefined ? {} : { nodes }) }
    const { answer, line } = this.#exchange(command)
    try {
      // A restarted program must have the same nodes as before.
      const hello = parseHello(answer, nodes ?? this.#hello?.nodes)
      const { counters } = hello
      if (this.#hello !== undefined && this.#hello.counters !== counters)
        throw new ShapeError(`counters: expected ${this.#hello.counters}, as from an earlier process, got ${counters}`)
      this.#coverage ??= counters === undefined ? undefined : new ProgramCoverage(counters)
      this.#nodes = new Set(hello.nodes)
      return hello
    } catch (error) {
      throw this.#misshapen(error, command, line)
    }
  }

  /** Sends any command. @throws ProgramFailure unless the answer is an object with the right id */
  ask(command: AnyCommand): Answered {
    const process = this.#process!
    const id = ++this.#id
    const previous = this.#lastSent
    const sent = `{"id":${id},${JSON.stringify(command).slice(1)}`
    this.#lastSent = sent
    const line = process.exchange(command.command, sent, command.commands?.length)
    this.#options.onExchange?.({ id, command: command.command, sent, received: line })
    try {
      const answer = parseLine(line)
      if (answer.id === id) return { answer, line }
      if (typeof answer.id !== 'number') throw new ShapeError(`id: expected ${id}, that of the command`)
      const what =
        answer.id === id - 1
          ? `there is a second answer to the command before "${command.command}"`
          : `the answer to "${command.command}" has the id of another command`
      return process.breach(what, { previous, sent, received: line })
    } catch (error) {
      throw this.#misshapen(error, command, line)
    }
  }

  /** As `ask`, but throws a `ReportedFailure` if the answer is an error. */
  #exchange(command: AnyCommand): Answered {
    if (this.hasNext) throw new Error(`"${command.command}" would be sent before the last batch is used up`)
    const answered = this.ask(command)
    try {
      const error = parseError(answered.answer)
      // Between executions, a program may still count the reset.
      if (this.#begun) this.#cover(answered.answer.coverage)
      if (error !== undefined) throw new ReportedFailure(error, this.#lastSent)
    } catch (error) {
      throw this.#misshapen(error, command, answered.line)
    }
    return answered
  }

  /** @throws ShapeError */
  #cover(coverage: unknown): void {
    if (this.#coverage !== undefined) this.#coverage.add(coverage)
    else if (coverage !== undefined) throw new ShapeError('coverage: `hello` must say how many "counters" there are')
  }

  /** Turns a `ShapeError` into a `ProgramFailure`; returns other errors unchanged. */
  #misshapen(error: unknown, { command }: AnyCommand, received: string, sent = this.#lastSent): unknown {
    if (!(error instanceof ShapeError)) return error
    const what = `the answer to "${command}" has a wrong shape: ${error.message}`
    return this.#process!.breach(what, { sent, received })
  }
}
