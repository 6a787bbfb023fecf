/**
 * `norn/internal/cluster`: what norn-maelstrom uses of clusters besides `norn/cluster` and `norn/history`.
 *
 * @internal no promise to anybody else
 */
export { CELL, type Cells, STATE } from '../cluster/stdio/cells.ts'
export { ENVIRONMENT } from '../cluster/stdio/program.ts'
export { ProgramFailure } from '../cluster/stdio/program-failure.ts'
export { startSupervised } from '../cluster/stdio/supervisor.ts'
export { unknownText } from '../contract/known-names.ts'
export { OWNER, removeLeftovers } from '../storage/files.ts'
export { outside } from '../world/realm/outside.ts'
