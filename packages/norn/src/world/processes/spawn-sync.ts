/**
 * Runs a child to its end within one call of its parent, for which the loop of its process stands still.
 *
 * Follows src/spawn_sync.cc: once a bound is met, the child gets a signal and nobody reads it any more.
 */
import { constants } from 'node:os'
import type { Chance } from '../../tape/chance.ts'
import type { SharedOverlay } from '../files/shared-overlay.ts'
import type { Causality } from '../loop/causality.ts'
import { Side } from '../network/connection.ts'
import { isTermination } from '../realm/ending.ts'
import type { Control } from '../realm/replace.ts'
import { uv } from '../realm/uv.ts'
import { BEGIN_US, type Output, SPAWN_US } from './child.ts'
import type { CommandContext, Found } from './commands.ts'
import { type Outcome, signalName, start } from './output.ts'
import { argvOf, type Run, type SyncOptions } from './spawn-options.ts'
import type { PlayElsewhere, Played } from './synchronous.ts'

export interface SpawnSyncHost extends Control {
  readonly causality: Causality
  nowUs(): number
  performed(kind: string, resource: string): void
  sleepUs(us: number): void
  readonly files: { share(): SharedOverlay | undefined }
  /** Runs a Node that its parent waits for; undefined where there is no other process for it. */
  readonly elsewhere: PlayElsewhere | undefined
  /** Fails the execution: it waits without end. Throws. */
  neverEnds(why: string): never
  /** Draws and records how late something within a call is, in microseconds. */
  lateUs(kind: string, resource: string): number
  chance(): Chance
  wallMsAt(us: number): number
  umask(): number
}

/** A call whose program and directory exist. */
export interface SyncCall {
  readonly name: string
  readonly run: Run
  readonly options: SyncOptions
  readonly context: CommandContext
  /** Where its descriptors lead that are no pipes of the call. */
  readonly outputs: readonly Output[]
  readonly ids: Ids
}

/** The ids of processes. */
interface Ids {
  nextPid: number
}

/** What a read takes at most. */
const READ_BYTES = 65536
const NOTHING = new Uint8Array()

/** What C++ returns to lib/child_process.js. */
export function spawnSync(host: SpawnSyncHost, call: SyncCall): object {
  const { name, run, outputs, ids } = call
  const { stdio, timeout = 0, maxBuffer = Number.POSITIVE_INFINITY } = call.options
  const pid = ids.nextPid
  const beforeUs = host.nowUs()
  host.performed('spawnSync', name)
  const outcome: Outcome | Played =
    run.found === undefined ? playedElsewhere(host, call) : playedHere(host, call, run.found)
  const isKilled = outcome.signal !== ''
  const end = { status: isKilled ? null : outcome.code, signal: isKilled ? outcome.signal : null }
  // A stand-in does not hear of the signal.
  const late =
    'bound' in outcome ? end : { status: null, signal: outcome.signal || signalName(killSignalOf(call.options)) }
  const isLate = 'bound' in outcome ? outcome.bound === 'time' : timeout > 0 && host.nowUs() - beforeUs > timeout * 1000
  const written = [undefined, outcome.stdout, outcome.stderr]
  const output = stdio.map(({ type }, index) => {
    const bytes = written[index] ?? NOTHING
    writeLast(outputs[index], bytes)
    return type === 'pipe' && index > 0 ? Buffer.from(bytes) : null
  })
  if (isLate) return { pid, error: uv.UV_ETIMEDOUT, ...late, output }
  const cut = kept(output, maxBuffer)
  if (cut !== undefined) return { pid, error: uv.UV_ENOBUFS, ...late, output: cut }
  return { pid, ...end, output }
}

/** A stand-in, or a program that norn plays. */
function playedHere(host: SpawnSyncHost, { options, context, ids }: SyncCall, found: Found): Outcome {
  ids.nextPid++
  const { timeout = 0 } = options
  const takesUs = found.utility?.us ?? 0
  const endUs = timeout > 0 ? timeout * 1000 + 1 : Number.POSITIVE_INFINITY
  host.sleepUs(SPAWN_US + BEGIN_US + Math.min(takesUs, endUs))
  let outcome: ReturnType<typeof start>
  try {
    outcome = start(found, inputOf(options), context)
  } catch (error) {
    if (isTermination(error)) throw error
    return host.refuse((error as Error).message)
  }
  if (!(outcome instanceof Promise)) return outcome
  outcome.catch(() => {})
  return host.refuse(`child process '${found.name}' run synchronously, whose stand-in returns a promise`)
}

/** Node itself, while this world stands still. */
function playedElsewhere(host: SpawnSyncHost, { name, options, context, ids }: SyncCall): Played {
  const { elsewhere, causality, nowUs } = host
  const what = `'${name}' run synchronously`
  if (elsewhere === undefined) return host.refuse(what)
  const shared = host.files.share() ?? host.refuse(`${what} by a program that watches files`)
  const { file, timeout = 0, maxBuffer = Number.POSITIVE_INFINITY } = options
  const played = elsewhere({
    ...{ file, args: argvOf(options), ...context, timeout, maxBuffer, killSignal: killSignalOf(options) },
    input: inputOf(options),
    seed: host.lateUs('run', name),
    chanceSeed: host.chance().bits(),
    mask: host.umask(),
    parentPid: causality.isolate.process.pid,
    pid: ids.nextPid,
    overlay: shared.take(),
    nowUs: nowUs(),
    startMs: host.wallMsAt(0),
  })
  if (!('overlay' in played)) {
    if (played.isEndless) return host.neverEnds(`${what} never ended`)
    return host.refuse(`${what}: ${played.lacks}`)
  }
  shared.put(played.overlay)
  ids.nextPid = played.nextPid
  host.sleepUs(played.nowUs - nowUs())
  return played
}

const killSignalOf = ({ killSignal }: SyncOptions): number => killSignal || constants.signals.SIGTERM

/** The bytes that it reads. */
function inputOf({ stdio }: SyncOptions): Uint8Array {
  const { buffer, byteOffset, byteLength } = stdio[0]?.input ?? NOTHING
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** What is read before the bound on all outputs ends it; undefined if they stay within it. */
function kept(output: readonly (Buffer | null)[], maxBytes: number): (Buffer | null)[] | undefined {
  const size = output.reduce((sum, each) => sum + (each?.length ?? 0), 0)
  if (maxBytes <= 0 || size <= maxBytes) return undefined
  let left = Math.ceil((maxBytes + 1) / READ_BYTES) * READ_BYTES
  return output.map((each) => {
    const part = each?.subarray(0, left) ?? null
    left -= part?.length ?? 0
    return part
  })
}

/** What a child that has ended wrote to a descriptor. */
function writeLast(output: Output, bytes: Uint8Array): void {
  if (typeof output === 'function' && bytes.length > 0) output(bytes)
  if (!(output instanceof Side)) return
  if (bytes.length > 0 && !output.isClosed && !output.peer.isClosed) output.send(bytes)
  output.close()
}
