/**
 * The model of the microbenchmark, with the states of the published one.
 *
 * The published TLA+ model (repository tlc-controlled-with-benchmarks) has eight variables: the
 * state of the AppMaster, the registered workers, whether the Terminator is registered, the state
 * of each worker, what the worker has buffered, the state of the Terminator, the next Execute, and
 * the set of all messages ever sent. Most of these follow from the others, so here a state is the
 * progress of each process; the distinct states are the same: 3^(m+1) before the request is
 * accepted (each of m workers and the Terminator is silent, announced or registered) and 3(n+2)
 * after it (0 to n+1 Executes done, while the Terminator waits, after it has terminated, and once
 * flushed).
 *
 * The model allows n+1 Executes, the program n, so no execution of the program reaches the three
 * states after n+1 Executes.
 */
import { disabled, type ModelDefinition } from '../../packages/norn/src/model/definition.ts'
import type { Action } from '../../packages/norn/src/model/model.ts'

export interface Size {
  /** m: how many workers there are; the AppMaster, the Terminator and the client come on top. */
  readonly workers: number
  /** n: how many times worker 1 executes. */
  readonly executes: number
}

/** How far a process has come with its registration. */
type Registration = 'silent' | 'announced' | 'registered'

export interface MicrobenchmarkState {
  /** Of worker 1 to m. */
  readonly workers: readonly Registration[]
  readonly terminator: Registration | 'terminating'
  readonly accepted: boolean
  /** Executes that worker 1 has handled. */
  readonly executed: number
  readonly flushed: boolean
}

export function microbenchmarkModel({ workers, executes }: Size): ModelDefinition<MicrobenchmarkState> {
  return {
    init: {
      workers: Array.from({ length: workers }, () => 'silent' as const),
      terminator: 'silent',
      accepted: false,
      executed: 0,
      flushed: false,
    },
    actions: {
      AnnounceWorker(state, worker: number) {
        if (state.workers[worker - 1] !== 'silent') return disabled('the worker has announced itself before')
        return { ...state, workers: state.workers.with(worker - 1, 'announced') }
      },
      RegisterWorker(state, worker: number) {
        if (state.workers[worker - 1] !== 'announced') return disabled('the worker has not announced itself')
        return { ...state, workers: state.workers.with(worker - 1, 'registered') }
      },
      AnnounceTerminator(state) {
        if (state.terminator !== 'silent') return disabled('the Terminator has announced itself before')
        return { ...state, terminator: 'announced' }
      },
      RegisterTerminator(state) {
        if (state.terminator !== 'announced') return disabled('the Terminator has not announced itself')
        return { ...state, terminator: 'registered' }
      },
      Request(state) {
        if (state.accepted) return disabled('a request has been accepted before')
        if (state.workers.some((worker) => worker !== 'registered')) return disabled('a worker is not registered')
        if (state.terminator !== 'registered') return disabled('the Terminator is not registered')
        return { ...state, accepted: true }
      },
      Execute(state, request: number) {
        if (!state.accepted) return disabled('no request has been accepted')
        if (state.flushed) return disabled('the worker has flushed')
        if (state.executed !== request) return disabled(`the next Execute is ${state.executed}`)
        if (request > executes) return disabled('everything is executed')
        return { ...state, executed: request + 1 }
      },
      Terminate(state) {
        if (!state.accepted) return disabled('no request has been accepted')
        if (state.terminator !== 'registered') return disabled('it has terminated before')
        return { ...state, terminator: 'terminating' }
      },
      Flush(state) {
        if (state.terminator !== 'terminating') return disabled('the Terminator has not sent it')
        if (state.flushed) return disabled('the worker has flushed before')
        return { ...state, flushed: true }
      },
    },
  }
}

/** Every action with every parameter that may be possible in some state. */
export function microbenchmarkActions({ workers, executes }: Size): readonly Action[] {
  const each = (count: number, make: (at: number) => Action) => Array.from({ length: count }, (_, at) => make(at))
  return [
    ...each(workers, (at) => ({ action: 'AnnounceWorker', parameters: [at + 1] })),
    ...each(workers, (at) => ({ action: 'RegisterWorker', parameters: [at + 1] })),
    ...each(executes + 1, (at) => ({ action: 'Execute', parameters: [at] })),
    ...['AnnounceTerminator', 'RegisterTerminator', 'Request', 'Terminate', 'Flush'].map((action) => ({ action })),
  ]
}

/** The reachable distinct states, as the published model has them. */
export function reachableStates({ workers, executes }: Size): number {
  return 3 ** (workers + 1) + 3 * (executes + 2)
}
