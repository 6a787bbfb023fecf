/**
 * Keeps what a program defines on the objects that outlive its execution (globals, builtin modules, the language's own
 * objects) such that it can be taken away again: under the world a property that it defines there is configurable,
 * whatever the program says.
 *
 * Without, a program that defines a constant on `globalThis`, or its queue on `fs` as graceful-fs does, would find its
 * own definition in the next execution, and go on with what was left there.
 */
import { type Activity, define } from '../replace.ts'
import { type Outliving, outlivingObjects } from './shared-objects.ts'

// A program may break the methods of maps, and still has to be able to define a property.
const get = Function.prototype.call.bind(Map.prototype.get) as (
  map: Map<object, Outliving>,
  object: object,
) => Outliving | undefined
const { create, getOwnPropertyDescriptor } = Object
const { ownKeys } = Reflect

export function interceptGlobals({ active }: Activity): void {
  const real = { object: Object.defineProperty, several: Object.defineProperties, reflect: Reflect.defineProperty }
  const outliving = outlivingObjects()
  /** The descriptor to define with: one that can be taken back, unless the property is already one that cannot. */
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
