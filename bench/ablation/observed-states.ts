/** A model that knows nothing: its states are projections of what the nodes show. */
import type { ClusterView, ModelBinding } from '../../packages/norn/src/cluster/definition.ts'
import type { LogEntry } from '../../packages/norn/src/cluster/log.ts'
import { defineModel } from '../../packages/norn/src/model/typescript-model.ts'

/** The entries that begin an event; it has one state, the one that it leads to. */
const EVENTS: ReadonlySet<LogEntry['kind']> = new Set(['start', 'deliver', 'timeout', 'request', 'crash', 'restart'])

/** @param project the abstract state; equal texts are one state */
export function observedStates(project: (view: ClusterView) => string): ModelBinding {
  const model = defineModel<{ readonly seen: string }>({
    init: { seen: '' },
    actions: { Become: (_, seen: string) => ({ seen }) },
  })
  return {
    model,
    actions: ({ kind }, view) => (EVENTS.has(kind) ? { action: 'Become', parameters: [project(view)] } : undefined),
  }
}
