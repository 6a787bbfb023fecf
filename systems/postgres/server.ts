/** Whether this machine has PostgreSQL. Norn starts its servers; see packages/norn/src/devices/servers. */
import { findProgram } from '../../packages/norn/src/devices/servers/machine.ts'

const { CI } = process.env

export function isInstalled(): boolean {
  return findProgram('initdb') !== undefined && findProgram('psql') !== undefined
}

/** Whether tests are skipped. In CI the absence of PostgreSQL is a failure: `.ci/run` installs it. */
export const isSkipped = !isInstalled() && CI === undefined
if (isSkipped) console.warn('skipped: there is no PostgreSQL; `npm run systems:postgres` installs it')
