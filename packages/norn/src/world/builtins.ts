/**
 * How norn treats each builtin module, function by function: the source of docs/builtins.md,
 * checked by tests against the running Node. The table is made of what the interceptors say; modules
 * that none of them names are rejected by name.
 *
 * Covers Node 22.15 to 26; names that a Node lacks are ignored. Functions are listed where a module
 * can be asynchronous or vary between runs; elsewhere the module alone.
 */
import { INTERCEPTORS } from './interceptors.ts'
import type { Builtin, Builtins } from './realm/builtin.ts'

/** What interceptors say of builtins, by module; several may say something of one. */
export function tableOf(interceptors: readonly { readonly builtins?: Builtins }[]): Builtins {
  const table: Record<string, Builtin> = {}
  for (const { builtins = {} } of interceptors) {
    for (const [module, builtin] of Object.entries(builtins)) table[module] = joined(table[module], builtin)
  }
  return Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function joined(known: Builtin | undefined, more: Builtin): Builtin {
  if (known === undefined) return more
  const texts = Object.entries(more).map(([kind, text]) => [
    kind,
    [known[kind as keyof Builtin], text].filter((each) => each !== undefined).join(' '),
  ])
  return { ...known, ...Object.fromEntries(texts) }
}

export const { globals: GLOBALS = {}, ...BUILTINS } = tableOf(INTERCEPTORS)

/** Internal modules that Node still lets programs import. */
const INSIDE =
  '_http_agent _http_client _http_common _http_incoming _http_outgoing _http_server _stream_duplex _stream_passthrough ' +
  '_stream_readable _stream_transform _stream_wrap _stream_writable _tls_common _tls_wrap'

/** The entry of a builtin module; undefined if it is not listed. */
export function builtinOf(id: string): Builtin | undefined {
  const name = id.replace(/^node:/, '')
  if (INSIDE.split(' ').includes(name)) return { is: 'plain', note: 'See its public module.' }
  return Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined
}

/** Whether the import alone makes an execution inconclusive. */
export function isRefused(id: string): boolean {
  const builtin = builtinOf(id)
  return builtin === undefined || builtin.is === 'uncontrolled'
}
