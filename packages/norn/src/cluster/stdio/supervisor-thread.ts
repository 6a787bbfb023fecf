/**
 * The thread that supervises the programs of this process: it starts them, observes their exits, and
 * kills a program whose answer takes too long, while the main thread is blocked on that answer.
 *
 * Invariant: no program outlives this process, however that ends. A shell waits for the end of a pipe
 * that only this process holds open, and then kills the listed process groups. So even a program that
 * hangs or ignores the end of its stdin is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { fstatSync, ftruncateSync } from 'node:fs'
import { constants } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { effortOfGroup } from '../../watch/effort.ts'
import { HangWatch } from '../../watch/hang-watch.ts'
import { CELL, type Cells, STATE, type StartMessage } from './cells.ts'

/** How often the time limit of answers is checked, in milliseconds. */
const POLL_MS = 250
/** The stderr of a program is truncated beyond this, in bytes. */
const MAX_STDERR_BYTES = 32 * 1024 * 1024

/** Reads lists of process groups; at the end of its stdin, kills the groups of the last list. */
const GUARD = 'while read -r line; do groups=$line; done; for group in $groups; do kill -s KILL -- "-$group"; done'

const alive = new Set<number>()
let guard: ChildProcess | undefined

parentPort!.on('message', (message: StartMessage) => start(message))

function start({ cells, command, args, cwd, env, stdin, stdout, stderr, answerMs }: StartMessage): void {
  let child: ChildProcess
  try {
    child = spawn(command, args, { cwd, env, detached: true, stdio: [stdin, stdout, stderr] })
  } catch (error) {
    notStarted(cells, error)
    return
  }
  const { pid } = child
  child.on('error', (error) => {
    if (pid === undefined) notStarted(cells, error)
  })
  if (pid === undefined) return
  alive.add(pid)
  updateGuard()
  const pollMs = Math.min(POLL_MS, answerMs / 4)
  const watch = setInterval(watcher(cells, pid, stderr, answerMs, pollMs), pollMs)
  child.on('exit', (code, signal) => {
    clearInterval(watch)
    // Processes that the program started may hold the pipes open.
    killGroup(pid)
    alive.delete(pid)
    updateGuard()
    cells[CELL.code] = code ?? -1
    cells[CELL.signal] = signal === null ? 0 : constants.signals[signal]
    settle(cells, STATE.ended)
  })
  cells[CELL.pid] = pid
  settle(cells, STATE.running)
}

/** Kills a program whose answer takes too long, and bounds its stderr. */
function watcher(cells: Cells, pid: number, stderr: number, answerMs: number, pollMs: number): () => void {
  const limits = { taskMs: answerMs, startMs: answerMs, sleepingFactor: 1 }
  const watch = new HangWatch(limits, performance.now(), 0, pollMs)
  return () => {
    if (fstatSync(stderr).size > MAX_STDERR_BYTES) ftruncateSync(stderr, 0)
    const sequence = Atomics.load(cells, CELL.exchange)
    const effort = sequence === 0 ? undefined : effortOfGroup(pid)
    const hungFor = watch.hungFor({ nowMs: performance.now(), sequence, effort, isFilling: false })
    if (hungFor === undefined || sequence === 0) return
    Atomics.store(cells, CELL.timedOut, 1)
    killGroup(pid)
  }
}

function notStarted(cells: Cells, error: unknown): void {
  cells[CELL.errno] = (error as NodeJS.ErrnoException).errno ?? 0
  settle(cells, STATE.notStarted)
}

function settle(cells: Cells, state: number): void {
  Atomics.store(cells, CELL.state, state)
  Atomics.notify(cells, CELL.state)
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is empty.
  }
}

function updateGuard(): void {
  guard ??= spawn('sh', ['-c', GUARD], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] }).on('error', () => {})
  guard.stdin!.on('error', () => {})
  guard.stdin!.write(`${[...alive].join(' ')}\n`)
}
