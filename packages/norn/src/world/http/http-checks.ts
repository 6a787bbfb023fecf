/**
 * The interval in which a server of HTTP looks for connections that take too long. While no message
 * is under way it finds none and changes nothing, so a program that waits beside a server waits for
 * ever, although the interval goes on.
 */
import { hostRequire, requireInternal } from '../../loader/internals.ts'

interface Check {
  readonly server: object
  readonly list: object
}

/**
 * Returns a function that tells whether a timer is such an interval, and changes nothing as long as
 * nothing else happens. Of a server that listened before, it does not know.
 *
 * @param isIdle whether a list has no connection with a message under way
 */
export function noticeChecks(List: Function, isIdle: (list: object) => boolean): (timer: object) => boolean {
  const { kConnectionsCheckingInterval: key } = requireInternal<{ kConnectionsCheckingInterval?: symbol }>(
    '_http_server',
  )
  const checks = new WeakMap<object, Check>()
  if (key === undefined) return () => false
  const { prototype } = (hostRequire('node:net') as typeof import('node:net')).Server
  Object.defineProperty(prototype, key, {
    configurable: true,
    enumerable: false,
    get: () => undefined,
    set(this: object, timer: object) {
      Object.defineProperty(this, key, { value: timer, writable: true, configurable: true, enumerable: true })
      const list = Object.getOwnPropertySymbols(this)
        .map((each) => (this as Record<symbol, unknown>)[each])
        .find((value): value is object => value instanceof List)
      if (list !== undefined) checks.set(timer, { server: this, list })
    },
  })
  return (timer) => {
    const check = checks.get(timer)
    if (check === undefined) return false
    // The program may have put an accessor there, which the check calls.
    const isPlain = (name: string) => Object.getOwnPropertyDescriptor(check.server, name)?.get === undefined
    return isPlain('headersTimeout') && isPlain('requestTimeout') && isIdle(check.list)
  }
}
