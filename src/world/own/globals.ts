/**
 * Keeps what a program defines on the global object such that it can be taken away again: under the world a property
 * that it defines there anew is configurable, whatever the program says.
 *
 * Without, a program that defines a constant on `globalThis` would find its own definition in the next execution, and
 * fail for having run before.
 */
import { type Activity, define } from '../replace.ts'

export function ownGlobals({ active }: Activity): void {
  const real = { object: Object.defineProperty, several: Object.defineProperties, reflect: Reflect.defineProperty }
  const kept = (object: object, key: PropertyKey, descriptor: PropertyDescriptor): PropertyDescriptor => {
    const isNewGlobal = object === globalThis && active() && !Object.hasOwn(globalThis, key)
    return isNewGlobal ? { ...descriptor, configurable: true } : descriptor
  }
  const mine = {
    defineProperty: (object: object, key: PropertyKey, descriptor: PropertyDescriptor) =>
      real.object(object, key, kept(object, key, descriptor)),
    defineProperties(object: object, descriptors: PropertyDescriptorMap) {
      if (object !== globalThis || !active()) return real.several(object, descriptors)
      for (const key of Reflect.ownKeys(descriptors)) mine.defineProperty(object, key, Reflect.get(descriptors, key))
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
