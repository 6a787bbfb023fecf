/**
 * Intercepts all parts of Node that the world controls (interceptors.ts), and frames each execution:
 * asynchronous ids, the channel to norn, and the state of the process.
 *
 * Invariants: done once, before any code under test loads. Between `leave` and `enter` every
 * intercepted function acts as the original; no change by one execution is visible to the next.
 */
import type { ProgramFiles } from '../loader/program-files.ts'
import type { BuiltinGate } from '../loader/resolve.ts'
import { isRefused } from './builtins.ts'
import { type Given, INTERCEPTORS, type NodeHost, type Parts } from './interceptors.ts'
import { interceptChannel } from './isolates/channel.ts'
import { IsolateViews } from './isolates/isolate-views.ts'
import type { Changes } from './isolation/object-snapshot.ts'
import { snapshotProcess } from './isolation/process-snapshot.ts'
import type { React } from './isolation/promise-hooks.ts'
import { interceptAsyncIds } from './loop/async-ids.ts'
import { installAll, type LeftOpen, runAll } from './loop/interceptor.ts'
import type { Isolate } from './loop/isolate.ts'
import type { Others } from './loop/loop.ts'
import { Descriptor } from './loop/poll-descriptors.ts'
import type { Refused } from './network/unserved.ts'
import { DescriptorTable } from './processes/descriptor-table.ts'
import type { SynchronousCalls } from './processes/synchronous.ts'
import { Termination } from './realm/ending.ts'
import type { InterceptedTimers } from './time/timers.ts'
import type { UnheardGroup } from './udp/unheard.ts'

export type { NodeHost } from './interceptors.ts'

export interface InterceptedNode {
  readonly timers: InterceptedTimers
  readonly builtins: BuiltinGate
  readonly react: React
  /** The files as the execution has changed them. */
  readonly files: ProgramFiles
  /** A child whose parent is in another process. */
  readonly synchronous: SynchronousCalls
  /** Open files and directories in order of their descriptors, then sockets. */
  leftOpen(): LeftOpen[]
  /** The refused connection from which a failure follows. */
  missing(error: unknown, waits: boolean): Refused | undefined
  /** A group that the program sent to, and that only other machines are members of. */
  unheard(): UnheardGroup | undefined
  /** Begins an execution: starting files, no timers. */
  enter(): void
  /**
   * Ends an execution: restores the process, and its shared objects only if asked. Returns whether
   * any had changed.
   */
  leave(objectsToo: boolean): boolean
  /** Restores shared objects; returns whether any had changed. */
  restoreObjects(): boolean
  /** See `ProcessSnapshot`. */
  isRestored(): boolean
  renewGlobals(): void
  changesSeen(): number
  changesOfObjects(): readonly Changes[]
  /** Whether the execution may have opened a real handle past every gate; after `leave`. */
  mayHaveOpened(): boolean
  /** Passes an uncaught error to the program's listeners, then to the host. */
  uncaught(error: unknown): void
  /** The threads of the program; undefined while there are none. */
  others(): Others | undefined
  /** Another isolate begins to run. */
  entering(from: Isolate, to: Isolate): void
}

export function interceptNode(host: NodeHost): InterceptedNode {
  const asyncIds = interceptAsyncIds()
  const { causality } = host
  const given: Given = {
    ...host,
    table: new DescriptorTable((bytes) => host.output(Buffer.from(bytes).toString('utf8'))),
    isRefused,
    stopped: () => host.stopped() || causality.isolate.hasEnded,
    running: () => causality.isolate.process,
    // Undefined until all is installed.
    streams: () => parts.views?.streamsOf(causality.isolate),
    uncaught(error, rejection, code = 1) {
      const { isolate } = causality
      if (isolate === causality.main) host.uncaught(error, rejection)
      else (isolate.parent === undefined ? parts.nodes : parts.threads).failed(error, code)
    },
    exited(how, code) {
      const { isolate } = causality
      parts.asyncHooks.end()
      if (isolate === causality.main) return host.exited(how, code)
      if (how === 'abort') isolate.process.signal = 'SIGABRT'
      isolate.exitCode ??= code
      throw new Termination('the thread ended itself')
    },
    finish: (isolate, isAlive) => (isolate.parent === undefined ? parts.nodes : parts.threads).finish(isolate, isAlive),
    released(isolate) {
      for (const close of hooks.closeOf) close(isolate)
    },
  }
  const parts = given as Parts
  const hooks = installAll<Parts>(INTERCEPTORS, parts)
  const { timers, builtins, isolates, files, tcp, udp } = parts
  const channel = interceptChannel(host)
  channel.hide()
  const snapshot = snapshotProcess((name, before) => {
    if (host.active()) host.changing(name, before)
  })
  channel.show()
  const views = new IsolateViews(snapshot, channel, hooks.apart)
  Object.assign(parts, { views })
  const leaveRest = () => {
    snapshot.restore()
    runAll(hooks.leave)
    views.reset()
    asyncIds.leave()
  }
  const isOfBody = ({ opened }: LeftOpen) => !(opened instanceof Descriptor) || opened.isolate.process.isFirst
  return {
    timers,
    missing: (error, waits) => tcp.unserved.behind(error, waits),
    unheard: () => udp.unheard,
    leftOpen() {
      const left: LeftOpen[] = []
      for (let at = 0; at < hooks.leftOpen.length; at++) hooks.leftOpen[at]!(left)
      return left.length === 0 ? left : left.filter(isOfBody)
    },
    files: files.program,
    synchronous: parts.synchronous,
    builtins,
    react: parts.promiseHooks.react,
    uncaught: (error) => parts.caught(error),
    others: () => (isolates.isEmpty ? undefined : isolates),
    entering: (from, to) => views.enter(from, to, builtins.main()),
    enter() {
      asyncIds.enter()
      try {
        channel.hide()
        runAll(hooks.enter)
      } catch (error) {
        // A program has frozen what every execution sets.
        try {
          leaveRest()
        } finally {
          asyncIds.leave()
          channel.show()
        }
        throw error
      }
    },
    leave(objectsToo) {
      try {
        // First, because the rest needs an intact language.
        const changed = (objectsToo || snapshot.lacksEssentials()) && snapshot.restoreObjects()
        leaveRest()
        return changed
      } catch (error) {
        if (!snapshot.restoreObjects()) throw error
        leaveRest()
        return true
      } finally {
        // Whatever cannot be restored: with ids of the execution, the next tick aborts the process.
        asyncIds.leave()
        channel.show()
      }
    },
    restoreObjects: snapshot.restoreObjects,
    isRestored: snapshot.isRestored,
    renewGlobals: snapshot.renewGlobals,
    changesSeen: snapshot.changesSeen,
    changesOfObjects: snapshot.changesOfObjects,
    mayHaveOpened: asyncIds.given,
  }
}
