/**
 * A thread that keeps the programs of this process: it starts them, hears of their ends, and ends
 * one that answers late, while the main thread waits for the answer and can do nothing else.
 * keeper.ts is its other side.
 *
 * Invariant: no program outlives this process, however that ends. A shell waits for the end of a
 * pipe that only this process holds, and then kills what is on its list; so even a program that
 * hangs, and reads no end of its stdin, goes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { fstatSync, ftruncateSync } from 'node:fs'
import { constants } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { effortOfGroup } from '../../watch/effort.ts'
import { HangWatch } from '../../watch/hang-watch.ts'
import { CELL, type Cells, STATE, type StartMessage } from './cells.ts'

/**
 * How often it is looked whether an answer is late, in milliseconds; a hang is noticed so much
 * later.
 */
const LOOK_MS = 250
/** What a program may write to stderr before it is forgotten, in bytes. */
const MAX_ERRORS_BYTES = 32 * 1024 * 1024

/** Reads lists of process groups; at the end, kills the last. */
const GUARD = 'while read -r line; do groups=$line; done; for group in $groups; do kill -s KILL -- "-$group"; done'

const alive = new Set<number>()
let guard: ChildProcess | undefined

parentPort!.on('message', (message: StartMessage) => start(message))

function start({ cells, command, args, cwd, env, stdin, stdout, errors, answerMs }: StartMessage): void {
  let child: ChildProcess
  try {
    child = spawn(command, args, { cwd, env, detached: true, stdio: [stdin, stdout, errors] })
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
  tellGuard()
  const lookMs = Math.min(LOOK_MS, answerMs / 4)
  const watch = setInterval(watcher(cells, pid, errors, answerMs, lookMs), lookMs)
  child.on('exit', (code, signal) => {
    clearInterval(watch)
    // What it started itself goes with it, and lets go of the pipes.
    killGroup(pid)
    alive.delete(pid)
    tellGuard()
    cells[CELL.code] = code ?? -1
    cells[CELL.signal] = signal === null ? 0 : constants.signals[signal]
    settle(cells, STATE.ended)
  })
  cells[CELL.pid] = pid
  settle(cells, STATE.running)
}

/**
 * Ends a program that has been at one answer for too long, and keeps what it says on stderr
 * bounded.
 */
function watcher(cells: Cells, pid: number, errors: number, answerMs: number, lookMs: number): () => void {
  const limits = { taskMs: answerMs, startMs: answerMs, sleepingFactor: 1 }
  const watch = new HangWatch(limits, performance.now(), 0, lookMs)
  return () => {
    if (fstatSync(errors).size > MAX_ERRORS_BYTES) ftruncateSync(errors, 0)
    const sequence = Atomics.load(cells, CELL.exchange)
    const effort = sequence === 0 ? undefined : effortOfGroup(pid)
    const hungFor = watch.hungFor({ nowMs: performance.now(), sequence, effort, isFilling: false })
    if (hungFor === undefined || sequence === 0) return
    Atomics.store(cells, CELL.late, 1)
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
    // Nobody is left in it.
  }
}

function tellGuard(): void {
  guard ??= spawn('sh', ['-c', GUARD], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] }).on('error', () => {})
  guard.stdin!.on('error', () => {})
  guard.stdin!.write(`${[...alive].join(' ')}\n`)
}
