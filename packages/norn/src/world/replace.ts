/**
 * How the world replaces what is Node's: a function of ours stands in the place of the real one, for good, and asks at
 * each call whether the world is active.
 *
 * Invariant: while the world is not active, whoever calls reaches the real function, with the same `this` and arguments.
 */

/** Whether an execution is under way, so that what is owned is virtual. */
export interface Activity {
  active(): boolean
}

export interface Control extends Activity {
  /** Voids the execution, because something was asked for that is not controlled. Throws. */
  refuse(what: string): never
}

/** Replaces a property's value, whatever its descriptor, keeping whether it is enumerable. */
export function define(object: object, name: string, value: unknown): void {
  const enumerable = Object.getOwnPropertyDescriptor(object, name)?.enumerable ?? false
  Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable })
}

/** Replaces a method by one that is virtual under the world and the real one otherwise. */
export function replaceWhileActive(host: Activity, object: object, name: string, mine: Function): void {
  const real = (object as Record<string, unknown>)[name] as Function
  define(object, name, function (this: unknown, ...args: unknown[]) {
    return host.active() ? mine.apply(this, args) : real.apply(this, args)
  })
}

/** A function or class that is refused under the world, by the name `what`, and else is the real one. */
export function refusing<Real extends Function>(host: Control, what: string, real: Real): Real {
  return new Proxy(real, {
    apply: (target, self, args) => (host.active() ? host.refuse(what) : Reflect.apply(target, self, args)),
    construct: (target, args, newTarget) =>
      host.active() ? host.refuse(what) : Reflect.construct(target, args, newTarget),
  })
}
