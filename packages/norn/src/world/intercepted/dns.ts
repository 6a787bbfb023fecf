/**
 * Intercepts `dns.lookup` and `dns.lookupService`, which run on the thread pool. `localhost` is
 * answered; any other name needs the network, which is uncontrolled.
 *
 * Follows lib/dns.js and src/cares_wrap.cc: `getaddrinfo(req, hostname, family, hints, order)`
 * answers through `req.oncomplete(error, addresses)`.
 */
import { AsyncResource } from 'node:async_hooks'
import { internalBinding } from '../../loader/internals.ts'
import type { PoolOperation } from '../pool.ts'
import type { Control } from '../replace.ts'

export interface DnsHost extends Control {
  submit(operation: PoolOperation): void
}

interface LookupRequest {
  oncomplete(error: number | null, addresses?: string[]): void
}

export function interceptDns(host: DnsHost): void {
  const binding = internalBinding('cares_wrap')
  const { getaddrinfo, getnameinfo } = binding
  binding.getaddrinfo = (request: LookupRequest, hostname: string, family: number, ...rest: unknown[]) => {
    if (!host.active()) return getaddrinfo.call(binding, request, hostname, family, ...rest)
    if (!/^localhost\.?$/i.test(hostname)) return host.refuse(`dns.lookup("${hostname}")`)
    const addresses = family === 6 ? ['::1'] : family === 4 ? ['127.0.0.1'] : ['127.0.0.1', '::1']
    const resource = new AsyncResource('GETADDRINFOREQWRAP')
    host.submit({
      kind: 'lookup',
      slow: true,
      resource: hostname,
      effect: () => addresses,
      complete: () => resource.runInAsyncScope(() => request.oncomplete(null, addresses)),
    })
    return 0
  }
  binding.getnameinfo = (...args: unknown[]) =>
    host.active() ? host.refuse('dns.lookupService') : getnameinfo.apply(binding, args)
}
