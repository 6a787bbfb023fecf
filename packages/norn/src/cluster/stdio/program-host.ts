/**
 * Commands and answers of the protocol over a program that is there when it is needed: started at
 * the first command, and anew at the first reset after it was lost.
 *
 * Invariants: answers come in the order of their commands, and carry their number. A reset begins
 * the numbers again, so what is sent does not depend on the executions before. Between two
 * executions nothing is on its way: `settle` makes sure of that with a reset of its own, so that a
 * line too many is told of in the execution that wrote it.
 */
import type { NodeId } from '../system.ts'
import { ProgramFailure, SaidFailure } from './program-failure.ts'
import { type Ending, type ProcessOptions, ProgramProcess } from './program-process.ts'
import {
  type Answer,
  type Command,
  type Hello,
  PROTOCOL_VERSION,
  parseAnswer,
  parseError,
  parseHello,
  parseLine,
  ShapeError,
} from './protocol.ts'

export interface HostOptions extends ProcessOptions {
  /** The nodes that the program is to have; those it has anyway if undefined. */
  readonly nodes: readonly NodeId[] | undefined
  /** Told of every line sent and the one that came back. */
  readonly onExchange?: (exchanged: Exchanged) => void
}

/** A command that was answered. */
export interface Exchanged {
  /** Counted from 1 in an execution, which begins with a reset. */
  readonly id: number
  readonly command: string
  /** The line that was sent, and the one that came. */
  readonly sent: string
  readonly came: string
}

/** An answer whose fields are not looked at, and the line it was. */
interface Answered {
  readonly answer: Readonly<Record<string, unknown>>
  readonly line: string
}

export class ProgramHost {
  readonly #options: HostOptions
  #process: ProgramProcess | undefined
  #hello: Hello | undefined
  #nodes: ReadonlySet<NodeId> = new Set()
  /** Of the last command. */
  #id = 0
  #lastSent = ''
  /** Whether an execution has begun that is not settled. */
  #begun = false

  constructor(options: HostOptions) {
    this.#options = options
  }

  /** What the program said of itself; starts it if it has not been. */
  get hello(): Hello {
    return (this.#hello ??= this.#start())
  }

  /** The process that it has now. */
  get pid(): number | undefined {
    return this.#process?.isOpen ? this.#process.pid : undefined
  }

  /**
   * Begins an execution, in a program started anew if the last one is lost. One that has run before
   * and does not take the reset is lost too: whatever happened to it is not this execution's, which
   * goes as it would in a fresh process.
   */
  reset(seed: number): Answer {
    try {
      // Nobody may have settled the execution before.
      this.settle()
    } catch {
      // It was that one's.
    }
    if (this.#process?.isOpen) {
      try {
        return this.#reset(seed)
      } catch (error) {
        if (!(error instanceof ProgramFailure)) throw error
      }
    }
    this.#hello = this.#start()
    return this.#reset(seed)
  }

  #reset(seed: number): Answer {
    this.#process!.forgetErrors()
    this.#begun = true
    this.#id = 0
    return this.perform({ command: 'reset', seed })
  }

  /**
   * Sends one command. Throws a `SaidFailure` if the program says that something in it is wrong,
   * and a `ProgramFailure` for all else that is no answer.
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
   * Ends an execution: nothing that the program wrote is left on its way. Throws as `perform` does.
   */
  settle(): void {
    if (!this.#begun || !this.#process?.isOpen) return
    this.#begun = false
    this.perform({ command: 'reset', seed: 0 })
  }

  /**
   * Ends the program, if one runs; the next reset starts it again. @param graceMs as for
   * `ProgramProcess.end`
   */
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
      // What has changed since it was last started would change what its nodes are.
      const hello = parseHello(answer, nodes ?? this.#hello?.nodes)
      this.#nodes = new Set(hello.nodes)
      return hello
    } catch (error) {
      throw this.#misshapen(error, command, line)
    }
  }

  /**
   * Sends any command, and gives what came as it is, once that is known to be its answer. Throws a
   * `ProgramFailure` for what is none.
   */
  ask(command: { readonly command: string }): Answered {
    const process = this.#process!
    const id = ++this.#id
    const before = this.#lastSent
    const sent = JSON.stringify({ id, ...command })
    this.#lastSent = sent
    const line = process.exchange(command.command, sent)
    this.#options.onExchange?.({ id, command: command.command, sent, came: line })
    try {
      const answer = parseLine(line)
      if (answer.id === id) return { answer, line }
      if (typeof answer.id !== 'number') throw new ShapeError(`id: expected ${id}, that of the command`)
      const what =
        answer.id === id - 1
          ? `there is a second answer to the command before "${command.command}"`
          : `the answer to "${command.command}" has the id of another command`
      return process.breach(what, { before, sent, came: line })
    } catch (error) {
      throw this.#misshapen(error, command, line)
    }
  }

  /** As `ask`; throws a `SaidFailure` too if the answer is one. */
  #exchange(command: Command): Answered {
    const answered = this.ask(command)
    try {
      const error = parseError(answered.answer)
      if (error !== undefined) throw new SaidFailure(error, this.#lastSent)
    } catch (error) {
      throw this.#misshapen(error, command, answered.line)
    }
    return answered
  }

  /** @returns the error itself if it is no matter of shapes */
  #misshapen(error: unknown, { command }: { readonly command: string }, line: string): unknown {
    if (!(error instanceof ShapeError)) return error
    return this.#process!.breach(`the answer to "${command}" has a wrong shape: ${error.message}`, {
      sent: this.#lastSent,
      came: line,
    })
  }
}
