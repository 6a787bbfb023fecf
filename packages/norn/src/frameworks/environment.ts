/**
 * The DOM of test files that ask for one: `@vitest-environment jsdom` or `@jest-environment jsdom` in
 * a comment, else the configuration of vitest or jest.
 *
 * happy-dom and jsdom are the project's own. Node loads them once, outside of executions; each
 * execution gets a window of its own, before anything of it loads. As in vitest, the names of the
 * window become globals, and `window` is the global object.
 *
 * Invariant: the globals are accessors that stay the same, defined before the world is installed, so
 * they are not leaks of an execution.
 */
import { dirname, join } from 'node:path'
import { hostRequire } from '../loader/internals.ts'
import { realFiles } from '../loader/real-files.ts'
import type { Environment } from '../loader/resolve.ts'
import { evaluation } from '../property/property.ts'
import type { FrameworkHost } from './framework.ts'
import { placeThrough } from './installed.ts'

/** A window of either package. */
type Window = Record<string, unknown> & {
  readonly document: object
  /** Of happy-dom, which keeps each window until it is closed. */
  readonly happyDOM?: { close?(): Promise<void> }
}

const LOCATION = 'http://localhost:3000'

const MAKERS: Readonly<Record<string, (package_: never) => () => Window>> = {
  'happy-dom':
    ({ Window, GlobalWindow = Window }: Record<'Window' | 'GlobalWindow', new (options: object) => Window>) =>
    () =>
      new GlobalWindow({ url: LOCATION, console: globalThis.console, settings: { disableErrorCapturing: true } }),
  jsdom:
    ({ JSDOM }: { JSDOM: new (html: string, options: object) => { window: Window } }) =>
    () =>
      new JSDOM('<!DOCTYPE html>', { url: LOCATION, pretendToBeVisual: true }).window,
}

/** Jest's packages around them. */
const CARRIERS: readonly string[] = ['jest-environment-jsdom', '@happy-dom/jest-environment']

/** Names that Node has, too; those of the window belong together, as an event and its target do. */
const OVERRIDDEN: readonly string[] = [
  ...['Event', 'EventTarget', 'CustomEvent', 'MessageEvent', 'CloseEvent', 'ErrorEvent', 'StorageEvent'],
  ...['AbortController', 'AbortSignal', 'Blob', 'File', 'FormData', 'DOMException', 'navigator', 'Navigator'],
  ...['Storage', 'localStorage', 'sessionStorage', 'WebSocket', 'EventSource', 'XMLHttpRequest'],
]

/** Those with which a window of the package makes requests, from the origin that it is at; jsdom has no `fetch`. */
const OF_REQUESTS: Readonly<Record<string, readonly string[]>> = {
  'happy-dom': [
    ...['fetch', 'Request', 'Response', 'Headers', 'URL', 'URLSearchParams', 'FormData'],
    ...['WebSocket', 'CloseEvent', 'EventSource'],
  ],
}

/** Names that libraries for tests assign to the window, and leave there. */
const ASSIGNED: readonly string[] = ['IS_REACT_ACT_ENVIRONMENT']

/** Names of the global object itself. */
const GLOBAL_OBJECT: readonly string[] = ['window', 'self', 'top', 'parent']

/**
 * Defines the globals of the DOM of a file of tests. Must be called before the world is installed.
 *
 * @param name of the package that provides it; without one, nothing is defined
 * @throws Error if the package is not installed
 */
export function installEnvironment(
  { file, outside }: FrameworkHost,
  name: string | undefined,
): Environment | undefined {
  if (name === undefined) return undefined
  const place = placeThrough(name, CARRIERS, file)
  if (place === undefined) {
    throw new Error(`${name} is not installed, but the tests ask for it as their environment: npm install -D ${name}`)
  }
  const windows = new CurrentWindow(MAKERS[name]!(hostRequire(folderOf(place)) as never), outside)
  return defineGlobals(windows, OF_REQUESTS[name] ?? [])
}

/** The folder of a package, which Node loads by its entry for `require`. */
function folderOf(file: string): string {
  let folder = dirname(file)
  while (!realFiles.exists(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

function defineGlobals(windows: CurrentWindow, ofRequests: readonly string[]): Environment {
  const overridden = [...OVERRIDDEN, ...ofRequests]
  const originals = Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor | undefined>
  const names = [...windows.names(), ...ASSIGNED].filter(
    (name) => !GLOBAL_OBJECT.includes(name) && (!(name in globalThis) || overridden.includes(name)),
  )
  for (const name of names) {
    Object.defineProperty(globalThis, name, {
      // Outside of executions, norn and Node use what they had.
      get: () => (evaluation() === 0 || windows.isMaking ? read(originals[name]) : windows.get(name)),
      set: (value: unknown) => windows.set(name, value),
      configurable: true,
    })
  }
  // Accessors, as in a window: tests spy on them.
  for (const name of GLOBAL_OBJECT) {
    Object.defineProperty(globalThis, name, {
      get: () => globalThis,
      set: (value: unknown) =>
        void Object.defineProperty(globalThis, name, { value, configurable: true, writable: true }),
      configurable: true,
    })
  }
  return { ofRequests, begin: () => windows.begin(), objects: () => names.map((name) => windows.get(name)) }
}

function read(original: PropertyDescriptor | undefined): unknown {
  return original?.get === undefined ? original?.value : original.get.call(globalThis)
}

/** The window of the current evaluation, and what was assigned to its names. */
class CurrentWindow {
  readonly #make: () => Window
  readonly #outside: FrameworkHost['outside']
  readonly #assigned = new Map<string, unknown>()
  readonly #bound = new Map<string, unknown>()
  #window: Window | undefined
  #evaluation = 0
  /** Whether the package makes a window, with what Node has. */
  isMaking = false

  constructor(make: () => Window, outside: FrameworkHost['outside']) {
    this.#make = make
    this.#outside = outside
  }

  names(): readonly string[] {
    const window = this.#make()
    void window.happyDOM?.close?.()
    const names: string[] = []
    for (let each: object = window; each !== Object.prototype; each = Object.getPrototypeOf(each) as object)
      names.push(...Object.getOwnPropertyNames(each))
    return [...new Set(names)].filter((name) => name !== 'constructor')
  }

  begin(): void {
    this.#current()
  }

  get(name: string): unknown {
    const window = this.#current()
    if (this.#assigned.has(name)) return this.#assigned.get(name)
    const value = window[name]
    if (typeof value !== 'function' || isClass(name)) return value
    // A method of the window is called without it.
    if (!this.#bound.has(name)) this.#bound.set(name, value.bind(window))
    return this.#bound.get(name)
  }

  set(name: string, value: unknown): void {
    this.#current()
    this.#assigned.set(name, value)
  }

  #current(): Window {
    if (this.#window !== undefined && this.#evaluation === evaluation()) return this.#window
    this.#evaluation = evaluation()
    this.#assigned.clear()
    this.#bound.clear()
    const last = this.#window
    if (last?.happyDOM?.close !== undefined) this.#outside(() => void last.happyDOM!.close!())
    const window = this.#made()
    Object.defineProperty(window.document, 'defaultView', { value: globalThis, configurable: true })
    return (this.#window = window)
  }

  #made(): Window {
    this.isMaking = true
    try {
      return this.#make()
    } finally {
      this.isMaking = false
    }
  }
}

function isClass(name: string): boolean {
  return name[0] === name[0]!.toUpperCase()
}
