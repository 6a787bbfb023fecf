/**
 * Gates before every uncontrolled operation: passing one makes the execution inconclusive, by the
 * name and the stack of the operation.
 *
 * The inner ring is on prototypes and bindings, which catches early references and Node's own
 * JavaScript. The outer ring is on public functions, where the inner one cannot be replaced or is
 * reached only from a tick, without a frame of the program. The count of real handles (process.ts)
 * catches operations without a gate; stubs.ts answers instead of rejecting.
 */

import { allowsAddons, hostRequire, internalBinding } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { Builtin } from '../realm/builtin.ts'
import { type Control, define, refusing } from '../realm/replace.ts'

type AnyObject = Record<string, unknown>

/**
 * A gate: the object, the name that reports show (`%` stands for the function), and the functions
 * or classes.
 */
type Gate = readonly [object: unknown, name: string, functions: readonly string[]]

const INSPECTOR: Builtin = { uncontrolled: 'open close waitForDebugger Session', plain: 'url' }

export const gates: Interceptor<Control> = {
  name: 'gates',
  builtins: {
    ffi: { is: 'uncontrolled', note: 'The import is uncontrolled.' },
    inspector: INSPECTOR,
    'inspector/promises': INSPECTOR,
    module: {
      uncontrolled: 'register registerHooks enableCompileCache flushCompileCache setSourceMapsSupport',
      plain:
        'isBuiltin createRequire syncBuiltinESMExports Module findPackageJSON stripTypeScriptTypes getCompileCacheDir ' +
        'findSourceMap SourceMap getSourceMapsSupport runMain _debug _findPath _nodeModulePaths _resolveLookupPaths _load ' +
        '_resolveFilename _initPaths _preloadModules',
      note: 'Setting `_stat` or `_readPackage` is uncontrolled.',
    },
    repl: { is: 'uncontrolled', note: 'The import is uncontrolled.' },
    trace_events: {
      uncontrolled: 'createTracing',
      plain: 'getEnabledCategories',
      note: 'Tracing is uncontrolled from `enable` on.',
    },
    tty: { uncontrolled: 'ReadStream WriteStream', plain: 'isatty' },
    wasi: { uncontrolled: 'WASI' },
    globals: { uncontrolled: 'navigator.locks.request navigator.locks.query localStorage sessionStorage' },
  },
  install: interceptGates,
}

function interceptGates(host: Control): void {
  for (const [object, name, functions] of [...innerRing(), ...outerRing()]) {
    for (const each of functions) gate(host, object, each, name.replace('%', each))
  }
  interceptStorage(host)
}

function innerRing(): Gate[] {
  const prototypeOf = (binding: string, name: string): object | undefined => internalBinding(binding)[name]?.prototype
  return [
    [prototypeOf('trace_events', 'CategorySet'), 'trace_events %', ['enable']],
    // Loaded only when a program asks for them.
    [internalBinding('sqlite'), 'node:sqlite %', ['backup']],
    [internalBinding('wasi'), 'node:wasi', ['WASI']],
  ]
}

function outerRing(): Gate[] {
  const { Session } = (builtin('inspector') ?? {}) as { Session?: Function }
  const { locks } = navigator as { locks?: object }
  return [
    [builtin('worker_threads'), '%', ['moveMessagePortToContext', 'postMessageToThread']],
    [locks && Object.getPrototypeOf(locks), 'navigator.locks.%', ['request', 'query']],
    [builtin('tty'), 'tty.%', ['ReadStream', 'WriteStream']],
    [builtin('inspector'), 'inspector.%', ['open', 'close', 'waitForDebugger']],
    [Session?.prototype, 'inspector.Session %', ['connect', 'connectToMainThread']],
    [builtin('module'), 'module.%', ['register', 'registerHooks', 'enableCompileCache', 'flushCompileCache']],
    [builtin('module'), 'module.%', ['setSourceMapsSupport']],
    [builtin('crypto'), 'crypto.%', ['setEngine', 'setFips']],
    [builtin('http'), 'http.%', ['setGlobalProxyFromEnv']],
    [builtin('vm'), 'vm.%', ['measureMemory']],
    [builtin('fs'), 'fs.%', ['openAsBlobSync']],
    [builtin('zlib'), 'zlib.%', ['ZipFile', 'createZipArchive', 'zipFiles']],
    [builtin('os'), 'os.%', ['setPriority']],
    [
      builtin('v8'),
      'v8.%',
      ['writeHeapSnapshot', 'getHeapSnapshot', 'setHeapSnapshotNearHeapLimit', 'setFlagsFromString', 'queryObjects'],
    ],
    [builtin('v8'), 'v8.%', ['takeCoverage', 'stopCoverage', 'startCpuProfile', 'GCProfiler', 'startHeapProfile']],
    [builtin('v8'), 'v8.%', ['setHeapProfileNearHeapLimit', 'getCppHeapStatistics']],
    [process.report, 'process.report.%', ['writeReport']],
    // Without addons, Node refuses itself.
    [allowsAddons() ? process : undefined, 'process.%', ['dlopen']],
    [process, 'process.%', ['execve', 'setSourceMapsEnabled']],
    [process, 'process.%', ['_kill', '_debugProcess', '_debugEnd', 'addUncaughtExceptionCaptureCallback']],
    [process, 'process.%', ['setuid', 'setgid', 'seteuid', 'setegid', 'setgroups', 'initgroups']],
  ]
}

function builtin(name: string): object | undefined {
  try {
    return hostRequire(`node:${name}`) as object
  } catch {
    return undefined
  }
}

/** Rejects a function or class while the world is active. */
function gate(host: Control, object: unknown, property: string, what: string): void {
  const real = (object as AnyObject | undefined)?.[property]
  if (typeof real !== 'function') return
  define(object as object, property, refusing(host, what, real))
}

/** Node's own web storage. */
const STORAGE = ['localStorage', 'sessionStorage'].map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
)

/**
 * Web storage outlives an execution, and may lie on the disk. That of a DOM, which a test environment
 * has put in its place, does neither.
 */
function interceptStorage(host: Control): void {
  for (const [name, descriptor] of STORAGE) {
    if (descriptor?.get === undefined) continue
    if (Object.getOwnPropertyDescriptor(globalThis, name)?.get !== descriptor.get) continue
    const get = () => (host.active() ? host.refuse(name) : descriptor.get!.call(globalThis))
    Object.defineProperty(globalThis, name, { ...descriptor, get })
  }
}
