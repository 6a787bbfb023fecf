/**
 * One running program, and the exchange of one line for one line with it, synchronously.
 *
 * Invariant: each line sent is answered by one line, within `answerMs` of real time and of at most
 * `maxLineBytes` bytes; what is not so ends the program, and is thrown as a `ProgramFailure` that says
 * what it did. Real time decides nothing else.
 *
 * All of it is real input and output: under the world each public function steps outside.
 */
import { closeSync, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { getSystemErrorMap } from 'node:util'
import { outside } from '../../world/outside.ts'
import { CELL, type Cells, STATE } from './cells.ts'
import { awaitChange, startKept } from './keeper.ts'
import { LineReader, type Reading } from './line-reader.ts'
import { openPipes, type Pipes } from './pipes.ts'
import { type Exchange, ProgramFailure, type ProgramFailureName, told } from './program-failure.ts'

export interface ProcessOptions {
  readonly command: readonly [string, ...string[]]
  /** Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Real time that an answer may take, in milliseconds. */
  readonly answerMs: number
  /** Bytes of a line, at most. */
  readonly maxLineBytes: number
}

/** What is shown of stderr, in bytes: its end. */
const ERRORS_SHOWN = 4096

/**
 * How long a program may take to end by itself once its stdin has, and to be gone once it was
 * killed. Real time.
 */
const GRACE_MS = 500
const GONE_MS = 5000

/** How the program ended. */
export interface Ending {
  /** As a person reads it: its exit status, or the signal. */
  readonly how: string
  readonly code: number | undefined
  /** It took longer than it was given, and was killed. */
  readonly killed: boolean
}

export class ProgramProcess {
  readonly #options: ProcessOptions
  readonly #pipes: Pipes
  readonly #cells: Cells
  readonly #reader: LineReader
  #exchanges = 0
  #open = true

  /** Starts the program; throws a `ProgramFailure` if it cannot be. */
  constructor(options: ProcessOptions) {
    this.#options = options
    const [pipes, cells] = outside(() => startIn(options))
    this.#pipes = pipes
    this.#cells = cells
    this.#reader = new LineReader(pipes.fromProgram, options.maxLineBytes)
  }

  get isOpen(): boolean {
    return this.#open
  }

  /** Its process, by number. */
  get pid(): number {
    return this.#cells[CELL.pid]!
  }

  /**
   * Sends a line and waits for the line that answers it. Throws a `ProgramFailure`; the program is
   * gone then.
   *
   * @param command what the line says, as failures name it
   */
  exchange(command: string, line: string): string {
    return outside(() => {
      const exchange = ++this.#exchanges
      Atomics.store(this.#cells, CELL.exchange, exchange)
      // One that is gone may be written to or not, as it happens: the read tells.
      const reading = this.#send(line) ? this.#reader.next() : this.#readRest()
      Atomics.store(this.#cells, CELL.exchange, 0)
      if ('line' in reading) return reading.line
      return this.#failed(command, line, reading)
    })
  }

  /** The program answered, but not as it should: ends it, and throws what was wrong. */
  breach(what: string, exchange: Omit<Exchange, 'errors'>): never {
    return outside(() => {
      this.#end(GRACE_MS)
      return this.#throw('ProtocolBreach', what, exchange)
    })
  }

  /** Forgets what stood on stderr: an execution begins. */
  forgetErrors(): void {
    outside(() => {
      if (fstatSync(this.#pipes.errors).size > 0) ftruncateSync(this.#pipes.errors, 0)
    })
  }

  /**
   * Ends the program by the end of its stdin, or by force where that does not do. Safe to call more
   * than once.
   *
   * @param graceMs real time that it may take to end by itself
   */
  end(graceMs = GRACE_MS): Ending {
    return outside(() => {
      const killed = this.#end(graceMs)
      this.#close()
      return { ...this.#ending(), killed }
    })
  }

  /** Whether it took it whole. */
  #send(line: string): boolean {
    try {
      const bytes = Buffer.from(`${line}\n`, 'utf8')
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#pipes.toProgram, bytes, at)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false
      throw error
    }
  }

  /** What it still said before it was gone. */
  #readRest(): Reading {
    const reading = this.#reader.next()
    return 'line' in reading ? { ended: 'end', part: reading.line } : reading
  }

  #failed(command: string, sent: string, { ended, part }: Extract<Reading, { ended: unknown }>): never {
    const { answerMs, maxLineBytes } = this.#options
    if (ended === 'too long') {
      this.#end(0)
      const what = `the answer to "${command}" is longer than ${maxLineBytes} bytes (option maxLineBytes)`
      return this.#throw('ProtocolBreach', what, { sent, came: part })
    }
    const exchange = { sent, ...(part === '' ? {} : { came: part }) }
    const stayed = !awaitChange(this.#cells, STATE.running, GRACE_MS)
    this.#end(GRACE_MS)
    if (this.#cells[CELL.late] === 1) {
      const what = `the program did not answer "${command}" within ${answerMs / 1000} s (option answerMs), and was ended`
      return this.#throw('ProgramHang', what, exchange)
    }
    const what = stayed
      ? `the program closed its stdout instead of answering "${command}"`
      : `the program died instead of answering "${command}": ${this.#ending().how}`
    return this.#throw('ProgramDeath', what, exchange)
  }

  #throw(name: ProgramFailureName, what: string, exchange: Omit<Exchange, 'errors'>): never {
    const errors = this.#errors()
    this.#close()
    throw new ProgramFailure(name, told(what, { ...exchange, errors }))
  }

  /** Whether it had to be killed. */
  #end(graceMs: number): boolean {
    if (!this.#open) return false
    const cells = this.#cells
    closeSync(this.#pipes.toProgram)
    this.#open = false
    if (awaitChange(cells, STATE.running, graceMs)) return false
    try {
      process.kill(-cells[CELL.pid]!, 'SIGKILL')
    } catch {
      // It has gone meanwhile.
    }
    awaitChange(cells, STATE.running, GONE_MS)
    return true
  }

  #closed = false

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#pipes.fromProgram)
    // While the keeper looks at it, its number must not become another file's.
    if (Atomics.load(this.#cells, CELL.state) === STATE.ended) closeSync(this.#pipes.errors)
  }

  #ending(): Omit<Ending, 'killed'> {
    const code = this.#cells[CELL.code]!
    const signal = this.#cells[CELL.signal]!
    if (signal === 0) return { how: `exit status ${code}`, code }
    const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? `signal ${signal}`
    return { how: name, code: undefined }
  }

  /** The end of what stands on stderr. */
  #errors(): string {
    const { errors } = this.#pipes
    const { size } = fstatSync(errors)
    const bytes = Buffer.alloc(Math.min(size, ERRORS_SHOWN))
    const read = readSync(errors, bytes, 0, bytes.length, size - bytes.length)
    const text = bytes.toString('utf8', 0, read)
    // Not from the middle of a line.
    return size > ERRORS_SHOWN ? `…\n${text.slice(text.indexOf('\n') + 1)}` : text
  }
}

function startIn({ command: [command, ...args], cwd, env, answerMs }: ProcessOptions): [Pipes, Cells] {
  const pipes = openPipes()
  const { stdin, stdout, errors } = pipes
  const cells = startKept({ command, args, cwd, env, stdin, stdout, errors, answerMs })
  // From here on the program alone holds its ends.
  closeSync(stdin)
  closeSync(stdout)
  if (cells[CELL.state] !== STATE.notStarted) return [pipes, cells]
  for (const descriptor of [pipes.toProgram, pipes.fromProgram, errors]) closeSync(descriptor)
  const [code = '', description = 'it cannot be started'] = getSystemErrorMap().get(cells[CELL.errno]!) ?? []
  const what = `the program '${command}' cannot be started in ${cwd}: ${description}${code === '' ? '' : ` (${code})`}`
  throw new ProgramFailure('ProgramNotStarted', what)
}
