/**
 * Intercepts all parts of Node that the world controls, in the required order.
 *
 * Invariants: done once, before any code under test loads. Between `leave` and `enter` every
 * intercepted function acts as the original; no change by one execution is visible to the next.
 */
import type { ProgramFiles } from '../../loader/program-files.ts'
import type { BuiltinGate } from '../../loader/resolve.ts'
import { interceptFiles } from '../files/binding.ts'
import type { FilesHost } from '../files/host.ts'
import { interceptGlobals } from '../isolation/definitions.ts'
import type { LeftOpen } from '../isolation/leaks.ts'
import { interceptObservers } from '../isolation/observers.ts'
import { snapshotProcess } from '../isolation/process-snapshot.ts'
import { interceptAsyncIds } from './async-ids.ts'
import { interceptBuiltins } from './builtins.ts'
import { interceptChance } from './chance.ts'
import { interceptChannel } from './channel.ts'
import { type ClockHost, EPOCH_MS, interceptClock } from './clock.ts'
import { interceptContexts } from './contexts.ts'
import { type CryptoHost, interceptCrypto } from './crypto.ts'
import { interceptWorkingDirectory, type WorkingDirectoryHost } from './directory.ts'
import { interceptDns } from './dns.ts'
import { interceptFileMask } from './file-mask.ts'
import { type GatesHost, interceptGates } from './gates.ts'
import { interceptMachine } from './machine.ts'
import { interceptMessages } from './messages.ts'
import { noteAborts } from './notes.ts'
import { interceptPerformance } from './performance.ts'
import { Platform } from './platform.ts'
import type { PortsHost } from './ports.ts'
import { handleUncaught, interceptProcess, type ProcessHost } from './process.ts'
import { interceptStubs, type StubsHost } from './stubs.ts'
import { type InterceptedTimers, interceptTimers, type TimersHost } from './timers.ts'
import { interceptWaitAsync } from './wait-async.ts'
import { interceptWebAssembly } from './webassembly.ts'
import { interceptZlib } from './zlib.ts'

const DAY_MS = 24 * 3600 * 1000

interface EnvironmentHost {
  /** Called before an environment variable changes. */
  changing(name: string, before: string | undefined): void
}

/** What the intercepted parts ask of the world. */
export interface NodeHost
  extends ClockHost,
    CryptoHost,
    GatesHost,
    PortsHost,
    StubsHost,
    ProcessHost,
    EnvironmentHost,
    WorkingDirectoryHost,
    Pick<TimersHost, 'causality' | 'set' | 'noted' | 'begin' | 'stall'>,
    Pick<FilesHost, 'performed' | 'opened' | 'faulty' | 'faultsAllowed' | 'fault'> {}

export interface InterceptedNode {
  readonly timers: InterceptedTimers
  readonly builtins: BuiltinGate
  /** The files as the execution has changed them. */
  readonly files: ProgramFiles
  /** Open files and directories, in order of their descriptors. */
  leftOpen(): LeftOpen[]
  /** Begins an execution: starting files, no timers. */
  enter(): void
  /**
   * Ends an execution: restores the process, and its shared objects only if asked. Returns whether
   * any had changed.
   */
  leave(objectsToo: boolean): boolean
  /** Restores shared objects; returns whether any had changed. */
  restoreObjects(): boolean
  /** Whether the execution may have opened a real handle past every gate; after `leave`. */
  mayHaveOpened(): boolean
  /** Passes an uncaught error to the program's listeners, then to the host. */
  uncaught(error: unknown): void
}

export function interceptNode(host: NodeHost): InterceptedNode {
  const uncaught = (error: unknown) => handleUncaught(host, error, false)
  let temporaryNames = 0
  // Order matters: the clock before the files, the crypto jobs before node:crypto loads.
  interceptCrypto(host)
  interceptZlib(host)
  interceptDns(host)
  interceptClock(host)
  const platform = new Platform(host)
  const asyncIds = interceptAsyncIds()
  const forget = [
    interceptPerformance(host),
    interceptObservers(host),
    interceptWaitAsync(host, platform),
    interceptWebAssembly(host, platform),
  ]
  interceptMachine(host)
  interceptChance(host)
  interceptContexts(host)
  const timers = interceptTimers({ ...host, uncaught })
  noteAborts(host)
  const directory = interceptWorkingDirectory(host)
  const mask = interceptFileMask(host)
  const files = interceptFiles({
    ...host,
    baseTimeMs: EPOCH_MS - DAY_MS,
    now: () => EPOCH_MS + host.nowUs() / 1000,
    random6: () => (temporaryNames++).toString(36).padStart(6, '0'),
    output: (_, bytes) => host.output(Buffer.from(bytes).toString('utf8')),
    cwd: directory.current,
    umask: mask.current,
  })
  const interceptedProcess = interceptProcess(host)
  const messages = interceptMessages(host)
  interceptGlobals(host)
  interceptGates(host)
  interceptStubs(host)
  const builtins = interceptBuiltins(host)
  const channel = interceptChannel(host)
  channel.hide()
  const snapshot = snapshotProcess((name, before) => {
    if (host.active()) host.changing(name, before)
  })
  channel.show()
  const leaveRest = () => {
    snapshot.restore()
    timers.leave()
    interceptedProcess.reset()
    directory.reset()
    mask.reset()
    messages.closeAll()
    for (const each of forget) each()
    asyncIds.leave()
  }
  return {
    timers,
    leftOpen: () => files.leftOpen(),
    files: files.program,
    builtins,
    uncaught,
    enter() {
      asyncIds.enter()
      temporaryNames = 0
      channel.hide()
      files.reset()
      timers.enter()
      platform.enter()
    },
    leave(objectsToo) {
      // First, because the rest needs an intact language.
      const changed = (objectsToo || snapshot.lacksEssentials()) && snapshot.restoreObjects()
      try {
        leaveRest()
        return changed
      } catch (error) {
        if (!snapshot.restoreObjects()) throw error
        leaveRest()
        return true
      } finally {
        channel.show()
      }
    },
    restoreObjects: snapshot.restoreObjects,
    mayHaveOpened: asyncIds.given,
  }
}
