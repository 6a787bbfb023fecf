/**
 * Gives each isolate a `node:cluster` of its own, as each process has: the primary's in the body and
 * in children, a worker's in a child that a primary forked.
 *
 * Node's JavaScript of the module is evaluated once more for each that uses it. `net` and `dgram` captured
 * the module's object when they first listened, so what they ask of it is answered for the isolate that
 * runs; programs get a proxy, which stands for the module of the isolate that uses it.
 */

import process from 'node:process'
import { compileFunction } from 'node:vm'
import { hostRequire, internalBinding, requireInternal, sourceOfInternal } from '../../loader/internals.ts'
import type { Causality } from '../loop/causality.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import type { Activity } from '../realm/replace.ts'

export interface ClusterHost extends Activity {
  readonly causality: Causality
}

export interface InterceptedCluster {
  /** What programs get. */
  readonly exports: object
  /** The running process begins as a worker of a cluster. */
  join(): void
  /** The process has ended. */
  leave(isolate: Isolate): void
  reset(): void
}

type Cluster = Record<PropertyKey, unknown> & { _setupWorker(): void }

type Part = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  process: NodeJS.Process,
  internalBinding: unknown,
  primordials: unknown,
) => void

const FOLDER = 'internal/cluster/'

/** What `net` and `dgram` ask of the module. */
const ASKED = ['isPrimary', 'isWorker', '_getServer']
/** The answers in a process that has no part in a cluster. Each call of `listen` asks. */
const ALONE: ReadonlyMap<string, boolean> = new Map([
  ['isPrimary', true],
  ['isWorker', false],
])

export const cluster: Interceptor<ClusterHost, { readonly cluster: InterceptedCluster }> = {
  name: 'node:cluster',
  builtins: {
    cluster: {
      controlled: 'fork',
      plain: 'Worker setupPrimary setupMaster disconnect',
      note: 'The script that runs the test is no worker: name one of your own with `setupPrimary({ exec })`.',
    },
  },
  install: (host) => {
    const cluster = interceptCluster(host)
    return {
      provides: { cluster },
      leave: cluster.reset,
      closeOf: (isolate) => {
        if (isolate.parent === undefined) cluster.leave(isolate)
      },
    }
  },
}

function interceptCluster(host: ClusterHost): InterceptedCluster {
  const real = hostRequire('node:cluster') as unknown as Cluster
  const instances = new Map<Isolate, Cluster>()
  const own = (): Cluster => {
    const { isolate } = host.causality
    let instance = instances.get(isolate)
    if (instance === undefined) instances.set(isolate, (instance = instantiate()))
    return instance
  }
  for (const name of ASKED) {
    let value = real[name]
    const alone = ALONE.get(name)
    const asked = () =>
      alone !== undefined && !instances.has(host.causality.isolate) && !isForked() ? alone : own()[name]
    Object.defineProperty(real, name, {
      configurable: true,
      enumerable: name in real,
      get: () => (host.active() ? asked() : value),
      set: (next: unknown) => {
        value = next
      },
    })
  }
  const current = () => (host.active() ? own() : real)
  const proxy = new Proxy({} as Cluster, {
    get: (_, name) => Reflect.get(current(), name),
    set: (_, name, value) => Reflect.set(current(), name, value),
    has: (_, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    deleteProperty: (_, name) => Reflect.deleteProperty(current(), name),
    defineProperty: (_, name, descriptor) =>
      Reflect.defineProperty(current(), name, { ...descriptor, configurable: true }),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(current()),
  })
  return {
    exports: proxy,
    join: () => own()._setupWorker(),
    leave: (isolate) => void instances.delete(isolate),
    reset() {
      if (instances.size > 0) instances.clear()
    },
  }
}

const compiled = new Map<string, Part>()

/** Node's modules of the folder get instances of each other; all others are Node's own. */
function instantiate(): Cluster {
  const { primordials } = requireInternal('internal/test/binding')
  const parts = new Map<string, { exports: object }>()
  const load = (id: string): unknown => {
    if (!id.startsWith(FOLDER)) return hostRequire(id)
    const known = parts.get(id)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    parts.set(id, module)
    const parameters = ['exports', 'require', 'module', 'process', 'internalBinding', 'primordials']
    let part = compiled.get(id)
    if (part === undefined)
      compiled.set(id, (part = compileFunction(sourceOfInternal(id)!, parameters, { filename: `node:${id}` }) as Part))
    part(module.exports, load, module, process, internalBinding, primordials)
    return module.exports
  }
  return load(`${FOLDER}${isForked() ? 'child' : 'primary'}`) as Cluster
}

/** Follows lib/cluster.js. */
function isForked(): boolean {
  return Object.hasOwn(process.env, 'NODE_UNIQUE_ID')
}
