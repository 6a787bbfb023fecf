/** norn/maelstrom: nodes written for Maelstrom, unmodified, as clusters. */
export { type MaelstromOptions, type MaelstromRequest, maelstrom } from './maelstrom.ts'
export type { ServiceName } from './services.ts'
export { type WorkloadName, type WorkloadOptions, workload } from './workloads.ts'
