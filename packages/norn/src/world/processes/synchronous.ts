/**
 * A Node that its parent waits for within one call (`execFileSync`, `spawnSync`): it runs in a world of its own,
 * in another real process, which gets the files and the time of its parent and gives them back.
 *
 * Why not in this one: the parent's callbacks, ticks and microtasks have to stand still while the child has its own,
 * and all isolates of a process share one queue of microtasks, which V8 does not drain from within a microtask.
 * Invariant: nothing else of the parent's world goes on meanwhile.
 */
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import process from 'node:process'
import { hostRequire } from '../../loader/internals.ts'
import type { Overlay, SharedOverlay } from '../files/shared-overlay.ts'
import type { Causality } from '../loop/causality.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { shown } from '../network/addresses.ts'
import type { Unserved } from '../network/unserved.ts'
import type { Activity } from '../realm/replace.ts'

/** What the other process gets. */
export interface SynchronousCall {
  readonly file: string
  /** With `argv[0]`. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Absolute. */
  readonly cwd: string
  readonly input: Uint8Array
  /** Until it gets the signal, in milliseconds; 0 for no bound. */
  readonly timeout: number
  /** Bytes of its output together after which it gets the signal; infinite for no bound. */
  readonly maxBuffer: number
  readonly killSignal: number
  readonly mask: number
  /** Of the parent, and of the child. */
  readonly parentPid: number
  readonly pid: number
  readonly overlay: Overlay
  /** Virtual time of the parent, in microseconds, and what the wall clock shows at 0, in milliseconds. */
  readonly nowUs: number
  readonly startMs: number
  /** Of the choices of its own; 0 for the default schedule. */
  readonly seed: number
  /** Of its random numbers: no two children draw the same. */
  readonly chanceSeed: number
}

/** What comes back. */
export interface Played {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly code: number
  /** The name of a signal; '' if none ended it. */
  readonly signal: string
  /** Which bound it met, for which it got the signal. */
  readonly bound: 'time' | 'size' | undefined
  readonly overlay: Overlay
  /** The parent's time when it hears of the end. */
  readonly nowUs: number
  readonly nextPid: number
}

/** Why nothing comes back: norn lacks something, or the child never ends. */
export interface NotPlayed {
  readonly lacks?: string
  readonly isEndless?: true
}

/** Runs a call in the other process. */
export type PlayElsewhere = (call: SynchronousCall) => Played | NotPlayed

export interface SynchronousHost extends Activity {
  readonly causality: Causality
  nowUs(): number
  sleepUs(us: number): void
  readonly files: { share(): SharedOverlay | undefined }
  readonly children: { nextPid: number }
  readonly tcp: { readonly unserved: Pick<Unserved, 'behind'> }
}

type Spawn = (file: string, args: readonly string[], options: SpawnOptions) => ChildProcess

export const synchronousChildren: Interceptor<SynchronousHost, { readonly synchronous: SynchronousCalls }> = {
  name: 'children that their parent waits for',
  install: (host) => ({ provides: { synchronous: new SynchronousCalls(host) } }),
}

/** The other process's side. */
export class SynchronousCalls {
  readonly #host: SynchronousHost

  constructor(host: SynchronousHost) {
    this.#host = host
  }

  /** The body of an execution that is one call. */
  play({
    file,
    args,
    env,
    cwd,
    input,
    timeout,
    maxBuffer,
    killSignal,
    ...call
  }: SynchronousCall): Promise<Played | NotPlayed> {
    const { nowUs, sleepUs, files, children, tcp, causality } = this.#host
    const shared = files.share()!
    shared.put(call.overlay)
    sleepUs(call.nowUs - nowUs())
    process.umask(call.mask)
    causality.isolate.process.pid = call.parentPid
    children.nextPid = call.pid
    const { spawn } = hostRequire('node:child_process') as unknown as { spawn: Spawn }
    const child = spawn(file, args.slice(1), { argv0: args[0], env, cwd } as SpawnOptions)
    const written: { readonly stdout: Buffer[]; readonly stderr: Buffer[] } = { stdout: [], stderr: [] }
    let size = 0
    let bound: Played['bound']
    // From then on nobody reads; how it ends is its own.
    const end = (met: Played['bound']) => {
      bound ??= met
      child.kill(killSignal)
      for (const stream of [child.stdin!, child.stdout!, child.stderr!]) stream.destroy()
    }
    const timer = timeout > 0 ? setTimeout(end, timeout, 'time') : undefined
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]!.on('data', (bytes: Buffer) => {
        written[name].push(bytes)
        size += bytes.length
        if (size > maxBuffer && maxBuffer > 0) end('size')
      })
    }
    // It may end before it has read all.
    child.stdin!.on('error', () => {})
    child.stdin!.end(input)
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => {
        clearTimeout(timer)
        // Where its parent listens it would wait for a parent that waits for it.
        const refused = tcp.unserved.behind(undefined, true)
        if (refused !== undefined)
          return resolve({ lacks: `a connection to ${shown(refused.to)}, where only its parent may listen` })
        return resolve({
          stdout: Buffer.concat(written.stdout),
          stderr: Buffer.concat(written.stderr),
          code: code ?? 0,
          signal: signal ?? '',
          bound,
          overlay: shared.take(),
          nowUs: nowUs(),
          nextPid: children.nextPid,
        })
      })
    })
  }
}
