/** The API of property files: `import { fuzz, fc } from 'norn'`. */

export {
  type DatabaseOptions,
  type MariadbOptions,
  mariadb,
  type PostgresOptions,
  postgres,
  type RedisOptions,
  redis,
} from './options/databases.ts'
export type { SearchLimits } from './options/table.ts'
export { fromBytes } from './property/from-bytes.ts'
export type { FastCheckProperty, Fuzz, FuzzProperty } from './property/fuzz.ts'
export { draw, fc, fuzz, note, outOfEntropy, target, withoutFaults } from './property/fuzz.ts'
export type { Arbitraries, Body, PropertyOptions } from './property/property.ts'
export { defineConfig, type NornConfiguration } from './session/define-config.ts'
