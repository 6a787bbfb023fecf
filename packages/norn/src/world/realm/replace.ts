/**
 * How the world replaces Node's functions: norn's function takes the place of the real one for the
 * life of the process, and checks at each call whether the world is active. Invariant: while it is
 * not, calls reach the real function with the same `this` and arguments.
 */

/** Whether an execution is in progress, so that intercepted functions are virtual. */
export interface Activity {
  active(): boolean
}

export interface Control extends Activity {
  /** Makes the execution inconclusive because of an uncontrolled operation. Throws. */
  refuse(what: string): never
}

export interface Approaching {
  /**
   * Remembers a call that leads to a gate only later: its stack is shown where the refusal's own
   * has no line of the program.
   */
  approach(way: Error): void
}

/** Replaces a property's value, whatever its descriptor; it stays enumerable or not. */
export function define(object: object, name: string | symbol, value: unknown): void {
  const enumerable = Object.getOwnPropertyDescriptor(object, name)?.enumerable ?? false
  Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable })
}

/** Replaces a method with one that applies only while the world is active. */
export function replaceWhileActive(host: Activity, object: object, name: string, mine: Function): void {
  const real = (object as Record<string, unknown>)[name] as Function
  define(object, name, function (this: unknown, ...args: unknown[]) {
    return host.active() ? mine.apply(this, args) : real.apply(this, args)
  })
}

/** A function or class that is rejected, by the name `what`, while the world is active. */
export function refusing<Real extends Function>(host: Control, what: string, real: Real): Real {
  return new Proxy(real, {
    apply: (target, self, args) => (host.active() ? host.refuse(what) : Reflect.apply(target, self, args)),
    construct: (target, args, newTarget) =>
      host.active() ? host.refuse(what) : Reflect.construct(target, args, newTarget),
  })
}
