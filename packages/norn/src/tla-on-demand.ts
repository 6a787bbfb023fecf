/**
 * `norn/tla` for files that run in the process of executions: loaded when the first of them asks for it, since loading it takes
 * a third of the time that such a process takes to start.
 *
 * It is loaded by Node, outside of the controlled world, and shared by all executions, as what is loaded at the start is.
 */
import { createRequire } from 'node:module'
import { outside } from './world/outside.ts'

const require = createRequire(import.meta.url)
const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

let loaded: object | undefined

function load(): object {
  loaded ??= outside(() => {
    const machines = require(
      `../../tla/src/follow/machines.${ENDING}`,
    ) as typeof import('../../tla/src/follow/machines.ts')
    machines.readBy(outside)
    return { ...(require(`./tla/index.${ENDING}`) as object) }
  })
  return loaded
}

/** Its exports; whoever looks at any of them has it loaded. */
export const tlaOnDemand: object = new Proxy(
  {},
  {
    get: (_, name) => Reflect.get(load(), name),
    has: (_, name) => Reflect.has(load(), name),
    ownKeys: () => Reflect.ownKeys(load()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(load(), name),
  },
)
