/**
 * Makes every property that a program defines on a shared object configurable, so that it can be
 * deleted after the execution. Otherwise a constant on `globalThis`, or the queue that graceful-fs
 * defines on `fs`, would survive into the next execution.
 */
import type { Interceptor } from '../loop/interceptor.ts'
import { type Activity, define } from '../realm/replace.ts'
import { type Outliving, outlivingObjects } from './shared-objects.ts'

// Captured now: a program may replace methods of maps and still define properties.
const get = Function.prototype.call.bind(Map.prototype.get) as (
  map: Map<object, Outliving>,
  object: object,
) => Outliving | undefined
const { create, getOwnPropertyDescriptor } = Object
const { ownKeys } = Reflect

export const definitions: Interceptor<Activity> = {
  name: 'definitions of properties',
  install: interceptGlobals,
}

function interceptGlobals({ active }: Activity): void {
  const real = { object: Object.defineProperty, several: Object.defineProperties, reflect: Reflect.defineProperty }
  const outliving = outlivingObjects()
  /** The descriptor to define with: configurable, unless the property already is not. */
  const kept = (object: object, key: PropertyKey, descriptor: PropertyDescriptor): PropertyDescriptor => {
    const known = active() ? get(outliving, object) : undefined
    if (known === undefined || typeof descriptor !== 'object' || descriptor === null) return descriptor
    known.defined = true
    if (getOwnPropertyDescriptor(object, key)?.configurable === false) return descriptor
    return create(descriptor, { configurable: { value: true } })
  }
  const mine = {
    defineProperty: (object: object, key: PropertyKey, descriptor: PropertyDescriptor) =>
      real.object(object, key, kept(object, key, descriptor)),
    defineProperties(object: object, descriptors: PropertyDescriptorMap) {
      if (!active() || get(outliving, object) === undefined) return real.several(object, descriptors)
      for (const key of ownKeys(descriptors)) mine.defineProperty(object, key, descriptors[key as string]!)
      return object
    },
  }
  const reflected = {
    defineProperty: (object: object, key: PropertyKey, descriptor: PropertyDescriptor) =>
      real.reflect(object, key, kept(object, key, descriptor)),
  }
  define(Object, 'defineProperty', mine.defineProperty)
  define(Object, 'defineProperties', mine.defineProperties)
  define(Reflect, 'defineProperty', reflected.defineProperty)
}
