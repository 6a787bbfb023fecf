/**
 * What keeps a process: its timers, requests and handles, as `process.getActiveResourcesInfo` names them.
 *
 * Follows `GetActiveRequests` and its siblings of src/node_process_methods.cc. Not here: what sockets are about to
 * write, ports, and watchers of files.
 */
import process from 'node:process'
import { internalBinding, requireInternal } from '../../loader/internals.ts'
import type { Causality } from '../loop/causality.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import type { Isolate } from '../loop/isolate.ts'
import type { Pool } from '../loop/pool.ts'
import { type Activity, replaceWhileActive } from '../realm/replace.ts'

interface Handles {
  handlesOf(isolate: Isolate): object[]
}

export interface ResourcesHost extends Activity {
  readonly causality: Causality
  readonly pool: Pool
  readonly tcp: { readonly streams: Handles }
  readonly pipes: { readonly streams: Handles }
  readonly udp: Handles
  readonly children: Handles
}

/** Names of handles whose class has several, by their provider. */
const NAMES: Readonly<Record<string, string>> = { TCPWRAP: 'TCPSocketWrap', TCPSERVERWRAP: 'TCPServerWrap' }

const { timeoutInfo, immediateInfo } = internalBinding('timers') as Record<string, Uint32Array>
const { Providers } = internalBinding('async_wrap') as { Providers: Readonly<Record<string, number>> }
const PROVIDERS = new Map(Object.entries(Providers).map(([name, number]) => [number, name]))
const { owner_symbol: OWNER } = requireInternal<{ symbols: { owner_symbol: symbol } }>('internal/async_hooks').symbols

export const activeResources: Interceptor<ResourcesHost> = {
  name: 'active resources',
  builtins: {
    process: {
      controlled: 'getActiveResourcesInfo _getActiveRequests _getActiveHandles',
    },
  },
  install: (host) => {
    const requests = () => {
      const { isolate } = host.causality
      return host.pool.tasks.flatMap(({ step, operation: { request } }) =>
        step.isolate === isolate && request !== undefined ? [request] : [],
      )
    }
    const handles = () => {
      const { causality, tcp, pipes, udp, children } = host
      return [tcp.streams, pipes.streams, udp, children].flatMap((each) => each.handlesOf(causality.isolate))
    }
    const named = (name: string, count: number) => new Array<string>(count).fill(name)
    replaceWhileActive(host, process, '_getActiveHandles', () => handles().map(ownerOf))
    replaceWhileActive(host, process, '_getActiveRequests', () =>
      requests().map((each) => (typeof each === 'string' ? {} : ownerOf(each))),
    )
    replaceWhileActive(host, process, 'getActiveResourcesInfo', () => [
      ...requests().map((each) => (typeof each === 'string' ? each : each.constructor.name)),
      ...handles().map(nameOf),
      ...named('Timeout', timeoutInfo![0]!),
      // Those that keep the loop alive; C++ counts its own with them.
      ...named('Immediate', Math.min(immediateInfo![0]!, immediateInfo![1]!)),
    ])
  },
}

/** The object that a program knows: a `Socket` rather than its `TCP`. */
function ownerOf(handle: object): object {
  return (handle as Record<symbol, object | undefined>)[OWNER] ?? handle
}

function nameOf(handle: object): string {
  const provider = PROVIDERS.get((handle as { getProviderType(): number }).getProviderType())!
  return NAMES[provider] ?? `${handle.constructor.name}Wrap`
}
