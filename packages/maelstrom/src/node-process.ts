/**
 * One process of a node: lines in, lines out, and a clock that stands still.
 *
 * Invariant: between two calls the process is idle, and all that it wrote has been read. So what it
 * does is an answer to a line or to a deadline, never a matter of real time. All I/O is real: every
 * public function steps outside of the world.
 */
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { CELL, type Cells, outside, ProgramFailure, STATE, startSupervised } from 'norn/internal/cluster'
import { ClockFile } from './clock-file.ts'
import { areIdle, familyOf } from './idleness.ts'

export interface NodeOptions {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Processor time, and a multiple of real time, in which it must become idle, in milliseconds. */
  readonly answerMs: number
  /** Holds the named pipes `NAME.in`, `NAME.out` and `NAME.control`. */
  readonly folder: string
  /** A line that waits in its stdin when it starts, so that it never looks in vain before. */
  readonly first: string
}

/** The real pause between two looks at a process that is not idle, in milliseconds: it grows up to the longest. */
const SHORTEST_PAUSE_MS = 0.05
const LONGEST_PAUSE_MS = 2
const STDERR_SHOWN = 4096
const MAX_LINE_BYTES = 64 * 1024 * 1024
/** A node that writes more lines in answer to one event is taken for an endless loop. */
const MAX_LINES = 1000

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Processes that were killed; the supervisor may still use their descriptors. */
const dying: { readonly cells: Cells; readonly stderr: number }[] = []

export class NodeProcess {
  readonly #options: NodeOptions
  readonly #cells: Cells
  readonly #toNode: number
  readonly #fromNode: number
  readonly #stderr: number
  readonly #clock: ClockFile
  readonly #chunk = Buffer.allocUnsafe(64 * 1024)
  #text = ''
  #lines: string[] = []
  #family: readonly number[] = []
  /** Bytes, in all. */
  #written = 0
  #calls = 0
  #pauseMs = SHORTEST_PAUSE_MS
  #open = true

  /** Starts it; call it outside of the world. @throws ProgramFailure if it cannot be started */
  constructor(options: NodeOptions) {
    this.#options = options
    const { name, folder, cwd, env } = options
    const [command, ...args] = options.command
    const { O_RDWR, O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants
    const open = (end: string, flags: number) => openSync(join(folder, `${name}.${end}`), flags, 0o600)
    this.#clock = new ClockFile(join(folder, `${name}.clock`), join(folder, `${name}.control`))
    // An end opened for both never blocks; then the other ends do not.
    const both = [open('in', O_RDWR), open('out', O_RDWR)]
    this.#toNode = open('in', O_WRONLY)
    this.#fromNode = open('out', O_RDONLY | O_NONBLOCK)
    const stdin = open('in', O_RDONLY)
    const stdout = open('out', O_WRONLY)
    this.#stderr = open('stderr', O_RDWR | O_APPEND | O_CREAT)
    const paths = { NORN_CLOCK: join(folder, `${name}.clock`), NORN_CONTROL: join(folder, `${name}.control`) }
    this.#write(options.first)
    this.#cells = startSupervised({
      command,
      args,
      cwd,
      env: { ...env, ...paths },
      stdin,
      stdout,
      stderr: this.#stderr,
      answerMs: options.answerMs,
    })
    for (const descriptor of [...both, stdin, stdout]) closeSync(descriptor)
    if (this.#cells[CELL.state] === STATE.notStarted) {
      throw new ProgramFailure('ProgramNotStarted', `the node '${command}' cannot be started in ${cwd}`)
    }
  }

  /** Nanoseconds since its start. */
  get now(): number {
    return this.#clock.now
  }

  /** When the first of its threads wants to wake, in nanoseconds since its start; undefined for never. */
  get deadline(): number | undefined {
    return outside(() => this.#clock.deadline)
  }

  /** Waits for an answer to the first line, and for idleness. */
  begin(): readonly string[] {
    return this.#act(() => {
      this.#pauseMs = LONGEST_PAUSE_MS
      while (this.#lines.length === 0) if (!this.#drain()) this.#rest()
      this.#family = familyOf(this.#cells[CELL.pid]!)
      this.#settle()
    })
  }

  /**
   * Sends a line; what the node writes until it has read the line and is idle.
   *
   * A node that is asleep, and not waiting for its stdin, is woken by its deadlines until it has.
   *
   * @param now the clock does not pass a deadline for it
   */
  receive(line: string, now: number, wakeAt: (deadline: number) => number): readonly string[] {
    return this.#act(() => {
      const before = this.#clock.deadline
      this.#clock.set(before === undefined ? now : Math.min(now, before - 1))
      this.#write(line)
      this.#settle()
      for (;;) {
        const { deadline } = this.#clock
        if (deadline === undefined || this.#hasRead()) return
        this.#clock.fire(wakeAt(deadline))
        this.#settle()
      }
    })
  }

  /** Moves the clock to a deadline; what the node writes until it is idle. */
  wake(now: number): readonly string[] {
    return this.#act(() => {
      this.#clock.fire(now)
      this.#settle()
    })
  }

  /** Kills it. */
  kill(): void {
    outside(() => {
      if (!this.#open) return
      this.#open = false
      try {
        process.kill(-this.#cells[CELL.pid]!, 'SIGKILL')
      } catch {
        // It has ended.
      }
      closeSync(this.#toNode)
      closeSync(this.#fromNode)
      this.#clock.close()
      dying.push({ cells: this.#cells, stderr: this.#stderr })
      for (let at = dying.length - 1; at >= 0; at--) {
        if (Atomics.load(dying[at]!.cells, CELL.state) !== STATE.ended) continue
        closeSync(dying[at]!.stderr)
        dying.splice(at, 1)
      }
    })
  }

  /** @throws ProgramFailure that shows the end of its stderr, after killing it */
  fail(what: string): never {
    const { size } = outside(() => fstatSync(this.#stderr))
    const bytes = Buffer.alloc(Math.min(size, STDERR_SHOWN))
    outside(() => readSync(this.#stderr, bytes, 0, bytes.length, size - bytes.length))
    const shown = bytes.toString('utf8').trimEnd()
    const quoted = shown === '' ? '' : ['', '  stderr:', ...shown.split('\n').map((line) => `    | ${line}`)].join('\n')
    this.kill()
    throw new ProgramFailure('ProgramDeath', `${what}${quoted}`)
  }

  #act(action: () => void): readonly string[] {
    return outside(() => {
      this.#lines = []
      if (this.#family.length > 0 && this.#drain()) {
        this.fail(
          `node '${this.#options.name}' wrote a line without being woken: it uses a clock that norn does not control (docs/maelstrom.md)`,
        )
      }
      Atomics.store(this.#cells, CELL.exchange, ++this.#calls)
      action()
      Atomics.store(this.#cells, CELL.exchange, 0)
      return this.#lines
    })
  }

  #write(line: string): void {
    const bytes = Buffer.from(`${line}\n`, 'utf8')
    this.#written += bytes.length
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#toNode, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') this.#ended()
      throw error
    }
  }

  /** Whether the node has read all that was written. A node that reads by libc's streams is asked. */
  #hasRead(): boolean {
    if (this.#clock.consumed === this.#written) return true
    this.#clock.fire(this.#clock.now)
    this.#settle()
    return this.#clock.pending === 0
  }

  /** Reads what it writes until it is idle. */
  #settle(): void {
    this.#pauseMs = SHORTEST_PAUSE_MS
    do {
      while (!areIdle(this.#family, () => this.#clock.sleepsBriefly)) if (!this.#drain()) this.#rest()
      // A node that waits for room in its pipe goes on once that is read.
    } while (this.#drain())
  }

  #rest(): void {
    if (Atomics.load(this.#cells, CELL.state) === STATE.ended) this.#ended()
    Atomics.wait(pause, 0, 0, this.#pauseMs)
    this.#pauseMs = Math.min(this.#pauseMs * 1.5, LONGEST_PAUSE_MS)
  }

  #ended(): never {
    const { name, answerMs } = this.#options
    if (this.#cells[CELL.timedOut] === 1) {
      return this.fail(
        `node '${name}' did not become idle within ${answerMs / 1000} s (option answerMs), and was killed`,
      )
    }
    const signal = this.#cells[CELL.signal]!
    return this.fail(
      `node '${name}' exited: ${signal === 0 ? `exit status ${this.#cells[CELL.code]}` : `signal ${signal}`}`,
    )
  }

  /** Reads what is there; whether there was anything. */
  #drain(): boolean {
    let any = false
    for (;;) {
      let length: number
      try {
        length = readSync(this.#fromNode, this.#chunk, 0, this.#chunk.length, null)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return any
        throw error
      }
      if (length === 0) return any
      any = true
      this.#text += this.#chunk.toString('latin1', 0, length)
      if (this.#text.length > MAX_LINE_BYTES) this.fail(`node '${this.#options.name}' wrote more than 64 MiB at once`)
      const lines = this.#text.split('\n')
      this.#text = lines.pop()!
      for (const line of lines) this.#lines.push(Buffer.from(line, 'latin1').toString('utf8'))
      if (this.#lines.length > MAX_LINES) {
        this.fail(`node '${this.#options.name}' wrote more than ${MAX_LINES} messages in answer to one event`)
      }
    }
  }
}
