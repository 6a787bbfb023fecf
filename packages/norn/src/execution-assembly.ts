/** Starts process/child.ts with the parts that are above its room: clusters and models. */
import { createRequire } from 'node:module'
import * as cluster from './cluster.ts'
import { serve } from './process/child.ts'
import { outside } from './world/realm/outside.ts'

const require = createRequire(import.meta.url)
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
/** A module that is loaded at its first import. */
const lazily = (specifier: string) => () => outside(() => require(specifier) as object)

serve({
  modules: new Map([['norn/cluster', cluster]]),
  // Loading it would take a third of the start-up time.
  lazyModules: new Map([
    ['norn/tla', lazily(`./tla/index.${EXTENSION}`)],
    ['norn/history', lazily(`./history/index.${EXTENSION}`)],
    ['norn/maelstrom', lazily('norn-maelstrom')],
  ]),
  declarers: { cluster: cluster.cluster },
})
