/**
 * Intercepts all parts of Node that the world controls, in the required order.
 *
 * Invariants: done once, before any code under test loads. Between `leave` and `enter` every
 * intercepted function acts as the original; no change by one execution is visible to the next.
 */
import type { ProgramFiles } from '../loader/program-files.ts'
import type { BuiltinGate } from '../loader/resolve.ts'
import { interceptContexts } from './builtins/contexts.ts'
import { type GatesHost, interceptGates } from './builtins/gates.ts'
import { interceptMachine } from './builtins/machine.ts'
import { interceptBuiltins } from './builtins/module-gate.ts'
import { interceptSqlite, type SqliteHost } from './builtins/sqlite.ts'
import { ShadowFiles } from './builtins/sqlite-files.ts'
import { interceptStubs, type StubsHost } from './builtins/stubs.ts'
import { interceptZlib } from './builtins/zlib.ts'
import { type CryptoHost, interceptCrypto } from './crypto/crypto.ts'
import { interceptChance } from './crypto/random.ts'
import { type DnsHost, interceptDns } from './dns/dns.ts'
import { interceptDnsQueries } from './dns/dns-queries.ts'
import { interceptFiles } from './files/binding.ts'
import { interceptFileMask } from './files/file-mask.ts'
import type { FilesHost } from './files/host.ts'
import { interceptWorkingDirectory, type WorkingDirectoryHost } from './files/working-directory.ts'
import { interceptHttp } from './http/http.ts'
import { interceptHttp2 } from './http/http2.ts'
import { interceptUndici } from './http/undici.ts'
import { interceptChannel } from './isolates/channel.ts'
import { IsolateViews } from './isolates/isolate-views.ts'
import { Isolates, type IsolatesHost } from './isolates/isolates.ts'
import { interceptGlobals } from './isolation/definitions.ts'
import type { LeftOpen } from './isolation/leaks.ts'
import { interceptObservers } from './isolation/observers.ts'
import { snapshotProcess } from './isolation/process-snapshot.ts'
import { interceptAsyncIds } from './loop/async-ids.ts'
import type { Isolate } from './loop/isolate.ts'
import type { Others } from './loop/loop.ts'
import type { OsProcess } from './loop/os-process.ts'
import { Descriptor } from './loop/poll-descriptors.ts'
import type { NetworkHost } from './network/network-host.ts'
import type { Refused } from './network/unserved.ts'
import { Processes, type ProcessesHost } from './processes/child-processes.ts'
import { DescriptorTable } from './processes/descriptor-table.ts'
import { interceptCluster } from './processes/node-cluster.ts'
import { NodeProcesses } from './processes/node-processes.ts'
import { handleUncaught, interceptProcess, type ProcessHost } from './processes/process.ts'
import { Termination } from './realm/ending.ts'
import { NativeCalls } from './streams/native-calls.ts'
import { type PassedPipe, Pipes } from './streams/pipe.ts'
import { PassedSocket, Tcp, type TcpHost } from './streams/tcp.ts'
import { interceptTls } from './streams/tls.ts'
import type { PortsHost } from './threads/message-ports.ts'
import { interceptMessages } from './threads/messages.ts'
import { Platform, type PlatformHost } from './threads/platform.ts'
import { interceptThreads } from './threads/threads.ts'
import { interceptWaitAsync } from './threads/wait-async.ts'
import { interceptWebAssembly } from './threads/webassembly.ts'
import { noteAborts } from './time/abort-notes.ts'
import { type ClockHost, EPOCH_MS, interceptClock } from './time/clock.ts'
import { interceptPerformance } from './time/performance.ts'
import { interceptPerformanceObserver } from './time/performance-observer.ts'
import { type InterceptedTimers, interceptTimers, type TimersHost } from './time/timers.ts'
import { PassedUdp, Udp } from './udp/udp.ts'

const DAY_MS = 24 * 3600 * 1000

interface EnvironmentHost {
  /** A folder for real files that stand for the program's; undefined if there is none. */
  readonly scratch: string | undefined
  /** Called before an environment variable changes. */
  changing(name: string, before: string | undefined): void
}

type IsolatesParts = Pick<IsolatesHost, 'pool'>

/** What the intercepted parts ask of the world. */
export interface NodeHost
  extends ClockHost,
    CryptoHost,
    DnsHost,
    GatesHost,
    NetworkHost,
    Pick<TcpHost, 'gateway'>,
    Pick<PlatformHost, 'workUs'>,
    PortsHost,
    ProcessesHost,
    Omit<SqliteHost, 'shadows' | 'shownPath'>,
    Omit<StubsHost, 'hasThreads'>,
    Omit<ProcessHost, 'running' | 'streams' | 'killChild'>,
    IsolatesParts,
    EnvironmentHost,
    Omit<WorkingDirectoryHost, 'running'>,
    Pick<TimersHost, 'causality' | 'set' | 'noted' | 'begin' | 'stall'>,
    Pick<FilesHost, 'performed' | 'announceChange' | 'descriptors' | 'opened' | 'faulty' | 'faultsAllowed' | 'fault'> {}

export interface InterceptedNode {
  readonly timers: InterceptedTimers
  readonly builtins: BuiltinGate
  /** The files as the execution has changed them. */
  readonly files: ProgramFiles
  /** Open files and directories in order of their descriptors, then sockets. */
  leftOpen(): LeftOpen[]
  /** The refused connection from which a failure follows. */
  missing(error: unknown, waits: boolean): Refused | undefined
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
  /** The threads of the program; undefined while there are none. */
  others(): Others | undefined
  /** Another isolate begins to run. */
  entering(from: Isolate, to: Isolate): void
}

export function interceptNode(given: NodeHost): InterceptedNode {
  const { causality } = given
  const isMain = () => causality.isolate === causality.main
  const host: NodeHost & ProcessHost = {
    ...given,
    stopped: () => given.stopped() || causality.isolate.hasEnded,
    running: () => causality.isolate.process,
    opened(opened) {
      if (!actor().isFirst) owners.set(opened, actor())
      given.opened(opened)
    },
    killChild: (pid, signal) => processes.kill(pid, signal),
    streams: () => views?.streamsOf(causality.isolate),
    uncaught(error, rejection, inHandler = false) {
      if (isMain()) given.uncaught(error, rejection)
      else if (causality.isolate.parent === undefined) nodes.failed(error, inHandler)
      else threads.failed(error)
    },
    exited(how, code) {
      if (isMain()) return given.exited(how, code)
      const { isolate } = causality
      if (how === 'abort') isolate.process.signal = 'SIGABRT'
      isolate.exitCode ??= code
      throw new Termination('the thread ended itself')
    },
  }
  let views: IsolateViews | undefined
  /** Which process acts: an operation of the pool takes effect whichever ran last. */
  const actor = () => (given.pool.performing?.step.isolate ?? causality.isolate).process
  /** What child processes have open. */
  const owners = new WeakMap<object, OsProcess>()
  const isOfBody = (opened: object) =>
    opened instanceof Descriptor ? opened.isolate.process.isFirst : !owners.has(opened)
  const table = new DescriptorTable((bytes) => given.output(Buffer.from(bytes).toString('utf8')))
  const uncaught = (error: unknown) => handleUncaught(host, error, false)
  let temporaryNames = 0
  // Order matters: the clock before the files, the crypto jobs before node:crypto loads.
  interceptCrypto(host)
  interceptZlib(host)
  interceptDns(host)
  const queries = interceptDnsQueries({ ...host, isServed: (address, port) => udp.isServed(address, port) })
  interceptClock(host)
  const platform = new Platform(host)
  const asyncIds = interceptAsyncIds()
  const forget = [
    interceptPerformance(host),
    interceptPerformanceObserver(host),
    interceptObservers(host),
    interceptWaitAsync(
      {
        ...host,
        goesOn(isolate) {
          given.pool.release(isolate)
          given.handles.release(isolate)
          ports.wakeAll(isolate)
        },
      },
      platform,
    ),
    interceptWebAssembly(host, platform),
  ]
  interceptMachine(host)
  interceptChance(host)
  interceptContexts(host)
  const timers = interceptTimers({ ...host, uncaught, isIdle: (timer) => http.isIdle(timer) })
  noteAborts(host)
  const directory = interceptWorkingDirectory(host)
  const mask = interceptFileMask(host)
  const files = interceptFiles({
    ...host,
    baseTimeMs: EPOCH_MS - DAY_MS,
    now: () => EPOCH_MS + host.nowUs() / 1000,
    random6: () => (temporaryNames++).toString(36).padStart(6, '0'),
    output: (fd, bytes) => table.write(actor(), fd, bytes),
    cwd: directory.current,
    umask: mask.current,
  })
  const interceptedProcess = interceptProcess(host)
  const ports = interceptMessages(host)
  interceptGlobals(host)
  const tcp = new Tcp(host)
  const pipes: Pipes = new Pipes({
    ...host,
    files: files.sockets,
    shownPath: files.shown,
    takeDescriptor: (fd) => table.open(causality.isolate.process, fd),
    channel: {
      pass: (handle) => tcp.pass(handle) ?? pipes.pass(handle) ?? udp.pass(handle) ?? host.refuse('a handle over IPC'),
      receive(passed) {
        if (passed instanceof PassedSocket) return tcp.receive(passed)
        return passed instanceof PassedUdp ? udp.receive(passed) : pipes.receive(passed as PassedPipe)
      },
    },
  })
  const udp: Udp = new Udp(host)
  const streamOf = (handle: object) => tcp.streams.find(handle) ?? pipes.streams.find(handle)
  const parts = {
    pipes,
    table,
    files: files.program,
    nodes: () => nodes,
    sideOf: (handle: object) => streamOf(handle)?.side,
  }
  const processes = new Processes(host, parts)
  const calls = new NativeCalls({ ...host, uncaught })
  interceptTls({ ...host, calls, streamOf })
  const http = interceptHttp({ ...host, calls, streamOf })
  forget.push(interceptHttp2({ ...host, calls, streamOf }))
  const undici = interceptUndici(host)
  const shadows = host.scratch === undefined ? undefined : new ShadowFiles(files.databases, host.scratch)
  forget.push(interceptSqlite({ ...host, shadows, shownPath: files.shown }))
  interceptGates(host)
  interceptStubs({ ...host, hasThreads: () => !isolates.isEmpty })
  const cluster = interceptCluster(host)
  const builtins = interceptBuiltins(host, { cluster: cluster.exports })
  const isolates: Isolates = new Isolates({
    ...host,
    timers,
    wind: (isolate, isAlive) => (isolate.parent === undefined ? nodes : threads).wind(isolate, isAlive),
    gone(isolate) {
      tcp.streams.closeOf(isolate)
      pipes.streams.closeOf(isolate)
      udp.closeOf(isolate)
      processes.closeOf(isolate)
      ports.closeOf(isolate)
      const { parent } = isolate
      if (parent !== undefined) threads.gone(isolate)
      else {
        files.close((opened) => owners.get(opened) === isolate.process)
        cluster.leave(isolate)
        nodes.gone(isolate)
      }
    },
  })
  const nodes: NodeProcesses = new NodeProcesses({
    causality,
    isolates,
    files: files.program,
    table,
    views: () => views!,
    instantiate: builtins.instantiate,
    uncaught: (error, fromPromise) => handleUncaught(host, error, fromPromise),
    joinCluster: () => cluster.join(),
  })
  const threads = interceptThreads({
    ...host,
    ports,
    platform,
    isolates,
    views: () => views!,
    instantiate: builtins.instantiate,
    uncaught: (error, fromPromise) => handleUncaught(host, error, fromPromise),
  })
  const channel = interceptChannel(host)
  channel.hide()
  const snapshot = snapshotProcess((name, before) => {
    if (host.active()) host.changing(name, before)
  })
  channel.show()
  views = new IsolateViews(snapshot, channel, [http.agents, undici])
  const leaveRest = () => {
    snapshot.restore()
    timers.leave()
    interceptedProcess.reset()
    ports.reset()
    threads.reset()
    nodes.reset()
    cluster.reset()
    isolates.reset()
    views?.reset()
    queries.leave()
    undici.leave()
    tcp.reset()
    pipes.reset()
    files.leave()
    udp.reset()
    processes.reset()
    for (const each of forget) each()
    http.agents.take()
    asyncIds.leave()
  }
  return {
    timers,
    missing: (error, waits) => tcp.unserved.behind(error, waits),
    leftOpen: () =>
      [files.leftOpen(), ...[tcp.streams, pipes.streams, udp, processes].map((each) => each.left())]
        .flat()
        .filter(({ opened }) => isOfBody(opened)),
    files: files.program,
    builtins,
    uncaught,
    others: () => (isolates.isEmpty ? undefined : isolates),
    entering: (from, to) => views!.enter(from, to, builtins.main()),
    enter() {
      asyncIds.enter()
      try {
        temporaryNames = 0
        channel.hide()
        files.reset()
        timers.enter()
        platform.enter()
        undici.enter()
        queries.enter()
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
        // Whatever cannot be restored: with ids of the execution, the next tick aborts the process.
        asyncIds.leave()
        channel.show()
      }
    },
    restoreObjects: snapshot.restoreObjects,
    mayHaveOpened: asyncIds.given,
  }
}
