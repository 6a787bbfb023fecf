/**
 * All interceptors, in the order in which they are installed and their hooks run: the clock before the
 * files, the crypto jobs before node:crypto loads, the pipes before the children that have them.
 */
import { contexts } from './builtins/contexts.ts'
import { environmentFile } from './builtins/environment-file.ts'
import { gates } from './builtins/gates.ts'
import { machine } from './builtins/machine.ts'
import { moduleGate } from './builtins/module-gate.ts'
import { others } from './builtins/others.ts'
import { report } from './builtins/report.ts'
import { scripts } from './builtins/scripts.ts'
import { sqlite } from './builtins/sqlite.ts'
import { stubs } from './builtins/stubs.ts'
import { zlib } from './builtins/zlib.ts'
import { cryptoJobs } from './crypto/crypto.ts'
import { random } from './crypto/random.ts'
import { lookups } from './dns/dns.ts'
import { dnsQueries } from './dns/dns-queries.ts'
import { fileBinding } from './files/binding.ts'
import { fileMask } from './files/file-mask.ts'
import { workingDirectory } from './files/working-directory.ts'
import { http } from './http/http.ts'
import { http2 } from './http/http2.ts'
import { undici } from './http/undici.ts'
import { isolates } from './isolates/isolates.ts'
import { asyncHooks } from './isolation/async-hooks.ts'
import { definitions } from './isolation/definitions.ts'
import { domains } from './isolation/domains.ts'
import { observers } from './isolation/observers.ts'
import { promiseHooks } from './isolation/promise-hooks.ts'
import { settings } from './isolation/settings.ts'
import type { Interceptor } from './loop/interceptor.ts'
import { activeResources } from './processes/active-resources.ts'
import { childProcesses } from './processes/child-processes.ts'
import { cluster } from './processes/node-cluster.ts'
import { nodeProcesses } from './processes/node-processes.ts'
import { processObject } from './processes/process.ts'
import { synchronousChildren } from './processes/synchronous.ts'
import { nativeCalls } from './streams/native-calls.ts'
import { pipes } from './streams/pipe.ts'
import { tcp } from './streams/tcp.ts'
import { tls } from './streams/tls.ts'
import { messages } from './threads/messages.ts'
import { platformTasks } from './threads/platform.ts'
import { workerThreads } from './threads/threads.ts'
import { waitAsync } from './threads/wait-async.ts'
import { webAssembly } from './threads/webassembly.ts'
import { abortNotes } from './time/abort-notes.ts'
import { clock } from './time/clock.ts'
import { loopDelay } from './time/loop-delay.ts'
import { performanceTimes } from './time/performance.ts'
import { performanceObserver } from './time/performance-observer.ts'
import { timedFunctions } from './time/timerify.ts'
import { timers } from './time/timers.ts'
import { udp } from './udp/udp.ts'

export const INTERCEPTORS = [
  others,
  cryptoJobs,
  zlib,
  lookups,
  platformTasks,
  dnsQueries,
  clock,
  timers,
  performanceTimes,
  performanceObserver,
  timedFunctions,
  loopDelay,
  promiseHooks,
  asyncHooks,
  observers,
  settings,
  waitAsync,
  webAssembly,
  machine,
  report,
  random,
  contexts,
  scripts,
  abortNotes,
  workingDirectory,
  environmentFile,
  fileMask,
  processObject,
  definitions,
  tcp,
  pipes,
  udp,
  childProcesses,
  activeResources,
  messages,
  fileBinding,
  synchronousChildren,
  nativeCalls,
  tls,
  http,
  http2,
  undici,
  sqlite,
  gates,
  stubs,
  cluster,
  domains,
  moduleGate,
  isolates,
  nodeProcesses,
  workerThreads,
] as const

type Installed = (typeof INTERCEPTORS)[number]

type Taking<Each> = Each extends Interceptor<never, infer Provides> ? (provided: Provides) => void : never

/** What the interceptors provide to each other and to the world. */
type Provided = Taking<Installed> extends (all: infer All) => void ? All : never

/** What the interceptors ask for: each as the parameter of its `install`. */
type Asked = Installed['install'] extends (host: infer All) => unknown ? All : never

/** What the interceptors ask of the world. */
export interface NodeHost extends Omit<Asked, keyof Provided | OfNode> {
  /** Called before an environment variable changes. */
  changing(name: string, before: string | undefined): void
}

/** What the interception as a whole gives to its parts. */
type OfNode = 'table' | 'views' | 'running' | 'streams' | 'finish' | 'released' | 'isRefused'

/** What is there before the first is installed. */
export type Given = Omit<Asked, keyof Provided | 'views'>

export type Parts = Asked & Provided
