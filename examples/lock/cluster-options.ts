/** The options of both clusters: the system, its faults, and the mapping of its events to the specification. */
import type { Action, ClusterOptions, LogEntry } from 'norn/cluster'
import { tlaModel } from 'norn/tla'
import { lock, type Mistakes } from './lock.ts'

const ACTIONS: Readonly<Record<string, string>> = { ask: 'Ask', grant: 'Grant', release: 'Release' }

export function clusterOptions(mistakes: Mistakes = {}): ClusterOptions {
  return {
    system: () => lock(mistakes),
    steps: 30,
    faults: { duplicates: 2 },
    model: {
      // The configuration is Lock.cfg, beside it.
      model: tlaModel(new URL('./Lock.tla', import.meta.url)),
      actions: actionOf,
      disabled: 'fail',
      agree: {
        implementation: (view) => (view.node('server').state as { holder?: string }).holder ?? 'Nobody',
        model: ({ holder }) => holder,
      },
    },
    required: ['grant'],
  }
}

function actionOf({ kind, name, data }: LogEntry): Action | undefined {
  if (kind !== 'event') return undefined
  return { action: ACTIONS[name]!, parameters: [(data as { client: string }).client] }
}
