/** Whether this machine has MariaDB. Norn starts its servers; see packages/norn/src/devices/servers. */
import { findProgram } from '../../packages/norn/src/devices/servers/machine.ts'

const { CI } = process.env

export function isInstalled(): boolean {
  return findProgram('mariadbd') !== undefined && findProgram('mariadb-install-db') !== undefined
}

/** Whether tests are skipped. In CI the absence of MariaDB is a failure: `.ci/run` installs it. */
export const isSkipped = !isInstalled() && CI === undefined
if (isSkipped) console.warn('skipped: there is no MariaDB; `npm run systems:mariadb` installs it')
