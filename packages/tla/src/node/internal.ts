/**
 * `norn-tla/node/internal`: specifications in files, loaded as code names them.
 *
 * @internal for norn: may change in any release
 */
export { loadNamed, pathOf } from './named.ts'
