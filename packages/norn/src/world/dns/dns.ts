/**
 * Intercepts `dns.lookup` and `dns.lookupService`, which run on the thread pool: they know the
 * names of the world, and no others.
 *
 * Follows lib/dns.js and src/cares_wrap.cc: `getaddrinfo(req, hostname, family, hints, order)` and
 * `getnameinfo(req, address, port)` answer through `req.oncomplete`.
 */

import { internalBinding } from '../../loader/internals.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { PoolOperation } from '../loop/pool.ts'
import { isLoopback } from '../network/addresses.ts'
import type { HostNames, LookupError } from '../network/host-names.ts'
import type { NetworkFaults } from '../network/network-faults.ts'
import { serviceName } from '../network/services.ts'
import { endContext, newContext } from '../realm/callback-scope.ts'
import type { Activity } from '../realm/replace.ts'
import { uv } from '../realm/uv.ts'

export interface DnsHost extends Activity {
  /** The names that the world of this execution knows. */
  names(): HostNames
  submit(operation: PoolOperation): void
  readonly networkFaults: NetworkFaults
}

interface Request {
  oncomplete(error: number | null, ...results: unknown[]): void
}

const binding = internalBinding('cares_wrap')
const { AI_ALL, AI_V4MAPPED, DNS_ORDER_IPV4_FIRST, DNS_ORDER_IPV6_FIRST } = binding

export const lookups: Interceptor<DnsHost> = {
  name: 'dns.lookup',
  install: interceptDns,
}

function interceptDns(host: DnsHost): void {
  const { getaddrinfo, getnameinfo } = binding
  binding.getaddrinfo = (request: Request, name: string, family: number, hints: number, order: number) => {
    if (!host.active()) return getaddrinfo.call(binding, request, name, family, hints, order)
    const options = { family, mapped: (hints & AI_V4MAPPED) !== 0, all: (hints & AI_ALL) !== 0 }
    run(host, 'GETADDRINFOREQWRAP', request, 'lookup', name, () => {
      const fault = faultOf(host, host.names().asksServer(name))
      if (fault !== undefined) return fault
      const found = host.names().lookup(name, options)
      return typeof found === 'string' ? codeOf(found) : [inOrder(found, order)]
    })
    return 0
  }
  binding.getnameinfo = (request: Request, address: string, port: number) => {
    if (!host.active()) return getnameinfo.call(binding, request, address, port)
    run(host, 'GETNAMEINFOREQWRAP', request, 'lookupService', `${address} ${port}`, () => {
      const fault = faultOf(host, !isLoopback(address))
      if (fault !== undefined) return fault
      const [name] = host.names().namesOf(address)
      return name === undefined ? codeOf('NONAME') : [name, serviceName(port)]
    })
    return 0
  }
}

/** Submits a lookup: it ends with an error's number, or with results. */
function run(
  host: DnsHost,
  type: string,
  request: Request,
  kind: string,
  resource: string,
  look: () => number | unknown[],
): void {
  const context = newContext(type, request)
  const complete = (_: unknown, found: unknown) =>
    endContext(context, () =>
      typeof found === 'number' ? request.oncomplete(found) : request.oncomplete(null, ...(found as unknown[])),
    )
  host.submit({ kind, slow: true, resource, request, effect: look, complete })
}

/** The error of a name server that does not answer for now. */
function faultOf(host: DnsHost, isAsked: boolean): number | undefined {
  const fault = isAsked ? host.networkFaults.at('lookup') : undefined
  return fault === undefined ? undefined : uv[`UV_${fault}`]!
}

function codeOf(error: LookupError): number {
  return uv[`UV_EAI_${error}`]!
}

function inOrder(addresses: readonly string[], order: number): string[] {
  const isFirst = (address: string) => address.includes(':') === (order === DNS_ORDER_IPV6_FIRST)
  if (order !== DNS_ORDER_IPV4_FIRST && order !== DNS_ORDER_IPV6_FIRST) return [...addresses]
  return [...addresses.filter(isFirst), ...addresses.filter((address) => !isFirst(address))]
}
