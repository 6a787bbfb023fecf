/**
 * One running program, with synchronous exchanges of one line for one line.
 *
 * Invariant: each line is answered by one line of at most `maxLineBytes`, within `answerMs` of real
 * time. Otherwise the program is killed, and a `ProgramFailure` thrown. Real time decides nothing
 * else. All I/O is real: every public function steps outside of the world.
 */
import { closeSync, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { getSystemErrorMap } from 'node:util'
import { outside } from '../../world/realm/outside.ts'
import { CELL, type Cells, STATE } from './cells.ts'
import { LARGEST_LINE, LineReader, type Reading } from './line-reader.ts'
import { openPipes, type Pipes } from './pipes.ts'
import { type Exchange, exchangeText, ProgramFailure, type ProgramFailureName } from './program-failure.ts'
import { awaitStateChange, startSupervised } from './supervisor.ts'

export interface ProcessOptions {
  readonly command: readonly [string, ...string[]]
  /** Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The time limit of an answer, in milliseconds of real time. */
  readonly answerMs: number
  /** The longest line of an answer, in bytes. */
  readonly maxLineBytes: number
}

const BUFFER_BYTES = 16 * 1024
/** The most bytes that a UTF-16 unit takes. */
const UTF8_BYTES = 3
const NEWLINE = 0x0a

/** Bytes of the end of stderr that a failure shows. */
const STDERR_SHOWN = 4096

/** Real time for the program to exit after the end of its stdin, and after it was killed. */
const GRACE_MS = 500
const GONE_MS = 5000

export interface Ending {
  /** The exit status or the signal, in words. */
  readonly how: string
  /** The exit status; undefined after a signal. */
  readonly code: number | undefined
  /** Whether it had to be killed. */
  readonly killed: boolean
}

export class ProgramProcess {
  readonly #options: ProcessOptions
  readonly #pipes: Pipes
  readonly #cells: Cells
  readonly #reader: LineReader
  /** Short lines are sent from here. */
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  #exchanges = 0
  #open = true

  /** @throws ProgramFailure if the program cannot be started */
  constructor(options: ProcessOptions) {
    this.#options = options
    const [pipes, cells] = outside(() => startIn(options))
    this.#pipes = pipes
    this.#cells = cells
    this.#reader = new LineReader(pipes.fromProgram)
  }

  get isOpen(): boolean {
    return this.#open
  }

  get pid(): number {
    return this.#cells[CELL.pid]!
  }

  /**
   * Sends a line and waits for the answer.
   *
   * @param command the name of the command, for failures
   * @param answers the number of answers in the line, each of which may have the longest length
   * @throws ProgramFailure after killing the program
   */
  exchange(command: string, line: string, answers = 1): string {
    return outside(() => {
      const maxBytes = Math.min(answers * this.#options.maxLineBytes, LARGEST_LINE)
      const exchange = ++this.#exchanges
      Atomics.store(this.#cells, CELL.exchange, exchange)
      // Writing to a program that has exited may or may not fail; reading always tells.
      const reading = this.#send(line) ? this.#reader.next(maxBytes) : this.#readRest(maxBytes)
      Atomics.store(this.#cells, CELL.exchange, 0)
      if ('line' in reading) return reading.line
      return this.#failed(command, line, reading, maxBytes)
    })
  }

  /** Ends the program because of a wrong answer. @throws ProgramFailure */
  breach(what: string, exchange: Omit<Exchange, 'stderr'>): never {
    return outside(() => {
      this.#end(GRACE_MS)
      return this.#throw('ProtocolBreach', what, exchange)
    })
  }

  /** Discards stderr at the beginning of an execution. */
  discardStderr(): void {
    outside(() => {
      if (fstatSync(this.#pipes.stderr).size > 0) ftruncateSync(this.#pipes.stderr, 0)
    })
  }

  /**
   * Ends the program by closing its stdin, or by killing it. May be called more than once.
   *
   * @param graceMs real time for it to exit by itself
   */
  end(graceMs = GRACE_MS): Ending {
    return outside(() => {
      const killed = this.#end(graceMs)
      this.#close()
      return { ...this.#ending(), killed }
    })
  }

  /** Whether the whole line was written. */
  #send(line: string): boolean {
    try {
      const isShort = line.length * UTF8_BYTES < this.#buffer.length
      const bytes = isShort ? this.#buffer : Buffer.from(`${line}\n`, 'utf8')
      let length = bytes.length
      if (isShort) {
        length = bytes.write(line, 0) + 1
        bytes[length - 1] = NEWLINE
      }
      for (let at = 0; at < length; ) at += writeSync(this.#pipes.toProgram, bytes, at, length - at)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false
      throw error
    }
  }

  /** What the program wrote before it exited. */
  #readRest(maxBytes: number): Reading {
    const reading = this.#reader.next(maxBytes)
    return 'line' in reading ? { ended: 'end', part: reading.line } : reading
  }

  #failed(
    command: string,
    sent: string,
    { ended, part }: Extract<Reading, { ended: unknown }>,
    maxBytes: number,
  ): never {
    const { answerMs } = this.#options
    if (ended === 'too long') {
      this.#end(0)
      const what = `the answer to "${command}" is longer than ${maxBytes} bytes (option maxLineBytes)`
      return this.#throw('ProtocolBreach', what, { sent, received: part })
    }
    const exchange = { sent, ...(part === '' ? {} : { received: part }) }
    const stayed = !awaitStateChange(this.#cells, STATE.running, GRACE_MS)
    this.#end(GRACE_MS)
    if (this.#cells[CELL.timedOut] === 1) {
      const what = `the program did not answer "${command}" within ${answerMs / 1000} s (option answerMs), and was killed`
      return this.#throw('ProgramHang', what, exchange)
    }
    const what = stayed
      ? `the program closed its stdout instead of answering "${command}"`
      : `the program died instead of answering "${command}": ${this.#ending().how}`
    return this.#throw('ProgramDeath', what, exchange)
  }

  #throw(name: ProgramFailureName, what: string, exchange: Omit<Exchange, 'stderr'>): never {
    const stderr = this.#stderr()
    this.#close()
    throw new ProgramFailure(name, exchangeText(what, { ...exchange, stderr }))
  }

  /** Whether it had to be killed. */
  #end(graceMs: number): boolean {
    if (!this.#open) return false
    const cells = this.#cells
    closeSync(this.#pipes.toProgram)
    this.#open = false
    if (awaitStateChange(cells, STATE.running, graceMs)) return false
    try {
      process.kill(-cells[CELL.pid]!, 'SIGKILL')
    } catch {
      // It has exited meanwhile.
    }
    awaitStateChange(cells, STATE.running, GONE_MS)
    return true
  }

  #closed = false

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#pipes.fromProgram)
    // The supervisor still uses the descriptor of a running program.
    if (Atomics.load(this.#cells, CELL.state) === STATE.ended) closeSync(this.#pipes.stderr)
  }

  #ending(): Omit<Ending, 'killed'> {
    const code = this.#cells[CELL.code]!
    const signal = this.#cells[CELL.signal]!
    if (signal === 0) return { how: `exit status ${code}`, code }
    const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? `signal ${signal}`
    return { how: name, code: undefined }
  }

  #stderr(): string {
    const { stderr } = this.#pipes
    const { size } = fstatSync(stderr)
    const bytes = Buffer.alloc(Math.min(size, STDERR_SHOWN))
    const read = readSync(stderr, bytes, 0, bytes.length, size - bytes.length)
    const text = bytes.toString('utf8', 0, read)
    // Begins with a whole line.
    return size > STDERR_SHOWN ? `…\n${text.slice(text.indexOf('\n') + 1)}` : text
  }
}

function startIn({ command: [command, ...args], cwd, env, answerMs }: ProcessOptions): [Pipes, Cells] {
  const pipes = openPipes()
  const { stdin, stdout, stderr } = pipes
  const cells = startSupervised({ command, args, cwd, env, stdin, stdout, stderr, answerMs })
  // Only the program holds its ends now.
  closeSync(stdin)
  closeSync(stdout)
  if (cells[CELL.state] !== STATE.notStarted) return [pipes, cells]
  for (const descriptor of [pipes.toProgram, pipes.fromProgram, stderr]) closeSync(descriptor)
  const [code = '', description = 'it cannot be started'] = getSystemErrorMap().get(cells[CELL.errno]!) ?? []
  const what = `the program '${command}' cannot be started in ${cwd}: ${description}${code === '' ? '' : ` (${code})`}`
  throw new ProgramFailure('ProgramNotStarted', what)
}
