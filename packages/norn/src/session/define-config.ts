/** What configuration files import. */
import type { ConfiguredOptions } from '../options/table.ts'

export { mariadb, postgres, redis } from '../options/databases.ts'

/**
 * Defaults for a project. Command-line flags, NORN_* variables and a property's own options come
 * before them.
 *
 * @public
 */
export interface NornConfiguration extends ConfiguredOptions {}

/**
 * Types the configuration of `norn.config.ts`; returns it unchanged.
 *
 * @public
 */
export function defineConfig(configuration: NornConfiguration): NornConfiguration {
  return configuration
}
