/** What the kernel says of a backend on this machine. */
import { readFileSync } from 'node:fs'

/** A backend, as far as it matters here. */
interface Process {
  readonly pid: number
  /** Whether it can be seen. */
  readonly isOfMachine: boolean
  readonly isClosed: boolean
  readonly hasAnswered: boolean
  /** Until the server has closed its connection. */
  closed(): Promise<void>
}

/** SIGINT cancels, SIGTERM terminates. */
const SIGNALS = (1n << 1n) | (1n << 14n)
/** SIGURG wakes a backend, which takes it once it goes on. */
const WAKING = 1n << 22n

/** Until a backend that has not answered sleeps, and has taken the signals that were sent to it. */
export async function resting(backend: Process): Promise<void> {
  while (!backend.isClosed && !backend.hasAnswered && isActive(backend.pid)) await later()
}

/** Until an idle backend has taken the signals that were sent to it, and is closed if one of them has ended it. */
export async function signalled(backend: Process): Promise<void> {
  while (!backend.isClosed && isActive(backend.pid)) await later()
  if (backend.isOfMachine && statusOf(backend.pid) === undefined) await backend.closed()
}

/** Whether a backend that can be seen waits, and nobody has woken it. */
export function isWaiting({ pid }: Process): boolean {
  const status = statusOf(pid)
  return status !== undefined && (BigInt(`0x${fieldOf(status, 'ShdPnd')}`) & WAKING) === 0n
}

/** Whether a process of this machine is a backend. A process of another namespace may have the number of one. */
export function isBackend(pid: number): boolean {
  return statusOf(pid) !== undefined
}

function isActive(pid: number): boolean {
  const status = statusOf(pid)
  if (status === undefined) return false
  return fieldOf(status, 'State') !== 'S' || (BigInt(`0x${fieldOf(status, 'ShdPnd')}`) & SIGNALS) !== 0n
}

/** Undefined if there is no such process, or it has ended, or is another. */
function statusOf(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return fieldOf(status, 'Name') === 'postgres' && fieldOf(status, 'State') !== 'Z' ? status : undefined
  } catch {
    return undefined
  }
}

function fieldOf(status: string, name: string): string {
  return new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(status)?.[1] ?? ''
}

const later = () => new Promise((resolve) => setTimeout(resolve, 1))
