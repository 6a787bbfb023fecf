/**
 * Mutations of the world, or of a program, that break promises. A promise that no mutation breaks
 * proves nothing.
 */
import type { Replacement } from '../mutants.ts'

export interface Mutation extends Replacement {
  /** The promises it breaks, each within a few hundred executions. */
  readonly breaks: readonly string[]
}

const TICKS = 'export const runTicks = (process as unknown as { _tickCallback: () => void })._tickCallback'
const TICKS_OF_NODE = TICKS.replace('export const runTicks', 'const realTicks')
const GLOBALS = 'function interceptGlobals({ active }: Activity): void {'

/** Code that replaces globals while the world is active; norn itself goes on as it was. */
function underTheWorld(code: string): Pick<Mutation, 'file' | 'find' | 'replace'> {
  return {
    file: 'packages/norn/src/world/isolation/definitions.ts',
    find: GLOBALS,
    replace: `${GLOBALS} {${code}\n  }`,
  }
}

const IMMEDIATES = `    runImmediates() {
      lastImmediate = undefined`

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'ticks last in, first out',
    ...underTheWorld(`
  const real = process.nextTick
  let stack: (() => void)[] = []
  process.nextTick = (callback: (...args: unknown[]) => void, ...args: unknown[]) => {
    if (!active()) return real(callback, ...args)
    if (stack.length === 0) real(() => { const all = stack; stack = []; while (all.length > 0) all.pop()!() })
    stack.push(() => callback(...args))
  }`),
    breaks: ['ticks run in the order in which they were queued'],
  },
  {
    name: 'a microtask waits for another turn',
    ...underTheWorld(`
  const real = queueMicrotask
  globalThis.queueMicrotask = (callback) => real(active() ? () => real(callback) : callback)`),
    breaks: ['microtasks run in the order in which they were queued'],
  },
  {
    name: 'microtasks before ticks',
    file: 'packages/norn/src/world/realm/callback-scope.ts',
    find: TICKS,
    replace: `${TICKS_OF_NODE}
export const runTicks = () => { internalBinding('task_queue').runMicrotasks(); realTicks() }`,
    breaks: ['ticks come before microtasks'],
  },
  {
    name: 'ticks are microtasks',
    ...underTheWorld(`
  const real = process.nextTick
  process.nextTick = (callback: (...args: unknown[]) => void, ...args: unknown[]) =>
    active() ? queueMicrotask(() => callback(...args)) : real(callback, ...args)`),
    breaks: ['microtasks are all done before a tick that one of them queued', 'ticks come before microtasks'],
  },
  {
    name: 'no draining between two operations',
    file: 'packages/norn/src/world/driver.ts',
    find: `    callFromTop(() => operation.complete(failed ? error : undefined, result), this.#parts.uncaught)
    drainTicks(this.#parts.uncaught)`,
    replace: '    callFromTop(() => operation.complete(failed ? error : undefined, result), this.#parts.uncaught)',
    breaks: ['ticks and microtasks are drained before the loop goes on'],
  },
  {
    name: 'rejections are judged before ticks',
    file: 'packages/norn/src/world/realm/callback-scope.ts',
    find: TICKS,
    replace: `${TICKS_OF_NODE}
const { processPromiseRejections } = requireInternal<{ processPromiseRejections: () => void }>('internal/process/promises')
export const runTicks = () => { processPromiseRejections(); realTicks() }`,
    breaks: ['a rejection that a tick or a microtask handles is handled'],
  },
  {
    name: 'the second reaction of a promise waits',
    ...underTheWorld(`
  const real = Promise.prototype.then
  let reactions = 0
  Promise.prototype.then = function (this: Promise<unknown>, ...args: any[]) {
    return Reflect.apply(real, active() && reactions++ % 2 === 1 ? Reflect.apply(real, this, []) : this, args)
  } as typeof real`),
    breaks: ['the reactions of one promise run in the order of their making'],
  },
  {
    name: 'one of those that await takes longer',
    file: 'bench/fidelity/legality/promises.ts',
    find: '        await null\n',
    replace: "        await (name === 'a' ? Promise.resolve().then(() => null) : null)\n",
    breaks: ['awaits are served in order'],
  },
  {
    name: 'immediates last in, first out',
    file: 'packages/norn/src/world/time/timers.ts',
    find: IMMEDIATES,
    replace: `    runImmediates() {
      const items: any[] = []
      for (let item = immediateQueue.head as any; item; item = item._idleNext) items.unshift(item)
      for (const [index, item] of items.entries()) {
        item._idlePrev = items[index - 1] ?? null
        item._idleNext = items[index + 1] ?? null
      }
      immediateQueue.head = items[0] ?? null
      immediateQueue.tail = items.at(-1) ?? null
      lastImmediate = undefined`,
    breaks: ['immediates run in the order of their making', 'ticks and microtasks come between two immediates'],
  },
  {
    name: 'an immediate from an immediate goes first',
    ...underTheWorld(`
    const real = setImmediate
    let inside = false
    const mine = (callback: (...args: unknown[]) => void, ...args: unknown[]) => {
      if (!active()) return real(callback, ...args)
      if (inside) return process.nextTick(callback, ...args)
      return real(() => { inside = true; try { callback(...args) } finally { inside = false } })
    }
    globalThis.setImmediate = mine as unknown as typeof setImmediate`),
    breaks: ['an immediate from an immediate waits for the next round'],
  },
  {
    name: 'no draining between two immediates',
    file: 'packages/norn/src/world/time/timers.ts',
    find: '    runTicks()\n    enterIsolateOf(next(), host.causality)\n',
    replace: '    enterIsolateOf(next(), host.causality)\n',
    breaks: [
      'ticks and microtasks come between two immediates',
      'ticks and microtasks are drained before the loop goes on',
    ],
  },
  {
    name: 'timers before immediates',
    file: 'packages/norn/src/world/loop/loop.ts',
    find: '    // Check: native immediates, then those of the program.\n',
    replace: '    runTimersIfDue()\n',
    breaks: [
      'from the callback of a file an immediate comes before any timer',
      'from the callback of a message an immediate comes before any timer',
    ],
  },
  {
    name: 'timers of one duration last in, first out',
    file: 'packages/norn/src/world/time/timers.ts',
    find: '      const atMs = nowMs()\n',
    replace: `      const first = timerListQueue.peek() as any
      for (let item = first, all = false; item && !all; ) {
        const next = item._idleNext
        item._idleNext = item._idlePrev
        item._idlePrev = next
        item = next
        all = item === first
      }
      const atMs = nowMs()
`,
    breaks: [
      'timers of one duration run in the order of their making',
      'a timer of 0 ms is one of 1 ms',
      'a timer that is refreshed goes behind those of its duration',
    ],
  },
  {
    name: 'timers count from a coarse clock',
    file: 'packages/norn/src/world/time/timers.ts',
    find: "    if (timerListQueue.peek() !== undefined) host.stall('timer')\n    return nowMs()",
    replace: '    return nowMs() - (nowMs() % 10)',
    breaks: ['a timer of 4 ms comes before one of 3 ms that is set a millisecond later', 'a timer is never early'],
  },
  {
    name: 'timers early',
    file: 'packages/norn/src/world/time/timers.ts',
    find: '    return nowMs()\n',
    replace: '    return nowMs() - 3\n',
    breaks: ['a timer is never early', 'an interval does not overtake itself'],
  },
  {
    name: 'clearing is forgotten',
    ...underTheWorld(`
  for (const name of ['clearTimeout', 'clearImmediate']) {
    const real = Reflect.get(globalThis, name) as Function
    Reflect.set(globalThis, name, (...args: unknown[]) => active() ? undefined : real(...args))
  }`),
    breaks: ['what is cleared does not run'],
  },
  {
    name: 'callbacks during the call',
    file: 'packages/norn/src/world/operations.ts',
    find: ' step, { effectUs, callbackUs, tear }, clock.nowUs)\n',
    replace: ` step, { effectUs, callbackUs, tear }, clock.nowUs)
    if (effectUs > 0) return
    pool.performDue(Number.POSITIVE_INFINITY)
    for (const task of pool.takeCompleted()) task.operation.complete(task.failed ? task.error : undefined, task.result)
`,
    breaks: ['no callback comes during the call that asks for it'],
  },
  {
    name: 'directories are made when the callback has run',
    file: 'packages/norn/src/world/files/forms.ts',
    find: '      effect,\n',
    replace: "      effect: task.kind === 'mkdir' ? () => queueMicrotask(() => effect()) : effect,\n",
    breaks: ['a callback comes after its effect'],
  },
  {
    name: 'removals are done when the callback has run',
    file: 'packages/norn/src/world/files/forms.ts',
    find: '      effect,\n',
    replace: "      effect: task.kind === 'unlink' ? () => setTimeout(() => effect(), 1) : effect,\n",
    breaks: ['what waited for an operation sees its effect'],
  },
  {
    name: 'synchronous operations are done later',
    file: 'packages/norn/src/world/files/forms.ts',
    find: '      const result = task.effect()\n',
    replace:
      "      if (task.kind === 'mkdir' && !task.resource.endsWith('promises')) return void setTimeout(task.effect, 1)\n      const result = task.effect()\n",
    breaks: ['what is done at once is seen at once, by every thread'],
  },
  {
    name: 'a pool without an order',
    file: 'packages/norn/src/world/loop/pool.ts',
    find: 'const entry = this.#queue[this.#head++]!',
    replace: 'const entry = this.#queue.pop()!',
    breaks: ['the pool has four threads, and starts in order'],
  },
  {
    name: 'a pool of eight threads',
    file: 'packages/norn/src/world/loop/pool.ts',
    find: 'export const POOL_THREADS = 4',
    replace: 'export const POOL_THREADS = 8',
    breaks: ['the pool has four threads, and starts in order'],
  },
  {
    name: 'nothing is exclusive',
    file: 'packages/norn/src/world/files/descriptors.ts',
    find: "    if (exclusive) fail('EEXIST')\n",
    replace: '',
    breaks: ['of two that make a name exclusively one succeeds'],
  },
  {
    name: 'writes take no lock',
    file: 'packages/norn/src/world/files/descriptors.ts',
    find: '    if (source.length === 0) return () => 0\n    inode.finishWrite?.()\n',
    replace: '    if (source.length === 0) return () => 0\n',
    breaks: ['two appends never mix'],
  },
  {
    name: 'a rename removes what it replaces, then renames',
    file: 'packages/norn/src/world/files/operations.ts',
    find: "  rename: onTwoPaths('rename', ({ tree }, [from, to]) => names.rename(tree, from, to)),",
    replace: `  rename: {
    ...onTwoPaths('rename', ({ tree }, [from, to]) => names.rename(tree, from, to)),
    divide: ({ tree }, [from, to]) => ({
      places: 1,
      begin: () => names.unlink(tree, to),
      effect: () => names.rename(tree, from, to),
    }),
  },`,
    breaks: ['a rename is seen at once and whole'],
  },
  {
    name: 'reads come twice',
    file: 'packages/norn/src/world/files/forms.ts',
    find: '      effect,\n',
    replace:
      "      effect: task.kind === 'read' ? () => { const result = effect(); effect(); return result } : effect,\n",
    breaks: [
      'a stream through others loses and reorders nothing',
      'a file that is read as a stream opens, gives data, ends and closes, and loses nothing',
      'lines are read in order',
    ],
  },
  {
    name: 'writes come twice',
    file: 'packages/norn/src/world/files/forms.ts',
    find: '      effect,\n',
    replace: "      effect: task.kind === 'write' ? () => { effect(); return effect() } : effect,\n",
    breaks: [
      'a file that is written as a stream finishes and closes, and holds the chunks in order',
      'operations that wait for each other keep their order',
    ],
  },
  {
    name: 'a stream is given two chunks at a time',
    file: 'bench/fidelity/legality/promises.ts',
    find: '          writing--\n          got.push(chunk)\n          done()\n        })\n',
    replace: '          writing--\n          got.push(chunk)\n        })\n        done()\n',
    breaks: ['a writable is given one chunk at a time, in order'],
  },
  {
    name: 'errors of files forget the context',
    file: 'packages/norn/src/world/files/forms.ts',
    find: '      (error) => endContext(context, () => waiter.oncomplete(error)),\n',
    replace: '      (error) => waiter.oncomplete(error),\n',
    breaks: ['asynchronous context goes where the call was made'],
  },
  {
    name: 'the second message overtakes the first',
    file: 'packages/norn/src/world/threads/message-ports.ts',
    find: '      const envelope = { message: cloneable(message), ports }\n',
    replace: '      const envelope = { message: message === 1 ? 2 : message === 2 ? 1 : message, ports }\n',
    breaks: ['messages of one port come in order, and its close behind them'],
  },
  {
    name: "'exit' twice",
    file: 'packages/norn/src/world/driver.ts',
    find: '    callFromTop(() => emitExit(exitCode()), this.#parts.uncaught)\n',
    replace: "    for (const _ of [1, 2]) callFromTop(() => process.emit('exit', exitCode()), this.#parts.uncaught)\n",
    breaks: ["'beforeExit' comes when nothing is left, 'exit' once behind it, and nothing after that"],
  },
  {
    name: 'a new module takes one trip to the main thread',
    file: 'packages/norn/src/world/threads/webassembly.ts',
    find: 'isNew ? 2 : 1',
    replace: '1',
    breaks: ['a new module of WebAssembly is compiled after the next immediate'],
  },
  {
    name: 'a Unix socket delivers late within a process',
    file: 'packages/norn/src/world/streams/pipe.ts',
    find: 'listener.isolate === this.#host.causality.isolate',
    replace: 'false',
    breaks: ['what a process sends to itself over a Unix socket is there at the next poll'],
  },
]
