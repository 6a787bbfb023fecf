import { cluster } from 'norn/cluster'
import { workload } from 'norn/maelstrom'
import { COMMAND, FAULTS, NODES, REQUESTS, SILENT_MS, SLEEP_MS, STEPS, WORKLOAD } from './settings.ts'

cluster(`${WORKLOAD}: ${COMMAND.at(-1)!.split('/').at(-1)}`, {
  ...workload(WORKLOAD, COMMAND, { nodes: NODES, requests: REQUESTS, sleepMs: SLEEP_MS, silentMs: SILENT_MS }),
  steps: STEPS,
  faults: FAULTS,
})
