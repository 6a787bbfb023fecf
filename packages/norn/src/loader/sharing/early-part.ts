/**
 * A part of the early modules that late ones may require: a module with all that it requires itself.
 *
 * Invariant: all that code of the part can reach is in its picture, so no function in it is of another module.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { fileURLToPath } from 'node:url'
import type { CommonJsModule } from '../commonjs-module.ts'
import type { Instance } from '../instance.ts'
import type { FileUnit } from '../units.ts'
import type { BuiltinObjects } from './builtin-objects.ts'
import type { Inspection } from './inspection.ts'
import { Picture } from './picture.ts'

/** Objects and scopes at most: they are compared each time before a late module is shown. */
const MOST_ITEMS = 1000

/** What late modules may require. */
export interface Part {
  readonly picture: Picture
  /** What `require.cache` has of it. */
  readonly modules: ReadonlySet<CommonJsModule>
}

export interface EarlyModules {
  readonly instance: Instance
  readonly picture: Picture
  readonly builtins: BuiltinObjects
  /** Those that are shared, by path. */
  readonly shared: ReadonlyMap<string, FileUnit>
  numberOf(unit: FileUnit): number
}

/** Paths of the modules that one imports or requires; undefined if it uses what norn shares with the program. */
export function requiredBy(unit: FileUnit, instance: Instance): readonly string[] | undefined {
  const edges = unit.kind === 'esm' ? unit.edges! : []
  if (edges.some((each) => each.kind === 'host' && each.target.kind !== 'builtin')) return undefined
  const children = instance.required[unit.path]?.children ?? []
  return [...edges.filter(({ kind }) => kind !== 'host'), ...children.map(({ filename }) => ({ path: filename! }))].map(
    ({ path }) => path,
  )
}

/** A picture of an early module, with all that it requires, as loading has left them; undefined if it leads on. */
export function earlyPart(
  path: string,
  { instance, picture, builtins, shared, numberOf }: EarlyModules,
  system: ReadonlySet<object>,
  inspection: Inspection,
): Part | undefined {
  const units = new Map<string, FileUnit>()
  const pending = [path]
  for (const next of pending) {
    if (units.has(next)) continue
    const unit = shared.get(next)
    const required = unit && requiredBy(unit, instance)
    if (required === undefined) return undefined
    units.set(next, unit!)
    pending.push(...required)
  }
  const numbers = new Set([...units.values()].map(numberOf))
  const tokens = picture.tokens.filter(({ module }) => numbers.has(module))
  const roots = [...units.values()].map((each) => ({ module: numberOf(each), values: instance.exportsOf(each) }))
  const beyond = (object: object) => {
    if (system.has(object)) return ''
    if (object instanceof AsyncLocalStorage) return 'it keeps what each asynchronous call has of its own'
    if (typeof object !== 'function') return undefined
    const url = inspection.urlOf(object)
    return url === undefined || units.has(url.startsWith('file:') ? fileURLToPath(url) : url)
      ? undefined
      : 'it leads to others'
  }
  const part = new Picture(roots, tokens, builtins, inspection, beyond)
  if (part.obstacles.length > 0 || part.size > MOST_ITEMS) return undefined
  return { picture: part, modules: new Set([...units.keys()].flatMap((each) => instance.required[each] ?? [])) }
}
