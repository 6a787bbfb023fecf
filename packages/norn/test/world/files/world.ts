/**
 * The smallest worlds that files can stand in, for tests.
 *
 * `inOrder` performs and completes each operation of the pool as soon as the program lets go, in
 * the order of submission; `byHand` leaves both moments to the test. The files are owned once per
 * process, as in norn itself.
 */

import {
  type FilesHost,
  type InterceptedFiles,
  interceptFiles,
  type PoolOperation,
} from '../../../src/world/files/binding.ts'
import { Causality } from '../../../src/world/loop/causality.ts'
import type { Fault, Possible } from '../../../src/world/loop/faults.ts'
import { ASYNC, Descriptors } from '../../../src/world/loop/poll-descriptors.ts'

type Conduct = (operation: PoolOperation) => void

/** Decides what a system call meets; told what it may meet. */
type FaultMaker = (call: string, possible: Possible) => Fault | undefined

export interface World {
  readonly files: InterceptedFiles
  /** What was performed, synchronously or in the pool: 'open /a', ... */
  readonly trace: string[]
  readonly printed: { fd: number; text: string }[]
  readonly refused: string[]
  /** Runs an action on the disk. */
  outside<T>(action: () => T): T
  /** Calls the watchers back. */
  poll(): void
  /** Runs a program on the overlay from the starting files. */
  run<T>(program: () => T | Promise<T>, conduct?: Conduct, faults?: FaultMaker): Promise<T>
}

const realNow = Date.now

let owned: World | undefined

export function world(): World {
  owned ??= makeWorld()
  return owned
}

function makeWorld(): World {
  let active = false
  let conduct: Conduct = inOrder
  let faults: FaultMaker | undefined
  let names = 0
  const trace: string[] = []
  const printed: { fd: number; text: string }[] = []
  const refused: string[] = []
  const causality = new Causality()
  const descriptors = new Descriptors()
  const host: FilesHost = {
    active: () => active,
    submit(operation) {
      trace.push(`${operation.kind} ${operation.resource}`)
      conduct(operation)
    },
    opened: () => {},
    announceChange: () => ({ step: causality.child(), delayUs: 0, readyUs: 0 }),
    announce: () => ({ step: causality.child() }),
    descriptors,
    causality,
    nowUs: () => 0,
    performed: (kind, resource) => void trace.push(`${kind} ${resource} (now)`),
    faulty: () => faults !== undefined,
    faultsAllowed: () => faults !== undefined,
    fault: (call, possible) => faults?.(call, possible),
    refuse(what) {
      refused.push(what)
      throw new Error(`not controlled: ${what}`)
    },
    now: realNow,
    msOf: (time) => time,
    baseTimeMs: 0,
    random6: () => (names++).toString(36).padStart(6, '0'),
    output: (fd, bytes) => void printed.push({ fd, text: Buffer.from(bytes).toString() }),
    cwd: process.cwd.bind(process),
    umask: process.umask.bind(process) as () => number,
  }
  const files = interceptFiles(host)
  return {
    files,
    trace,
    printed,
    refused,
    outside(action) {
      const before = active
      active = false
      try {
        return action()
      } finally {
        active = before
      }
    },
    poll() {
      descriptors.poll(0, Number.POSITIVE_INFINITY)
      for (let next = descriptors.take(0); next !== undefined; next = descriptors.take(0))
        if (next !== ASYNC) next.run()
    },
    async run(program, how = inOrder, faultsOf) {
      files.leave()
      descriptors.reset()
      files.reset()
      trace.length = printed.length = refused.length = 0
      conduct = how
      faults = faultsOf
      active = true
      try {
        return await program()
      } finally {
        active = false
      }
    },
  }
}

/** Effect and callback of each operation at once, one operation a macrotask. */
function inOrder(operation: PoolOperation): void {
  setImmediate(() => settle(operation))
}

export function settle(operation: PoolOperation): void {
  let result: unknown
  let error: unknown
  try {
    result = operation.effect()
  } catch (thrown) {
    error = thrown
  }
  operation.complete(error, result)
}
