/**
 * Models of consistency: which is stronger than which, and which anomalies each forbids. After Adya
 * (1999), Bailis et al. (Highly Available Transactions, 2013), Cerone et al. (2015), Daudjee & Salem
 * (2006), as Elle (Kingsbury & Alvaro, VLDB 2020) puts them together.
 */
import { type AnomalyClass, withImplied } from './anomaly.ts'

/** Weaker models come first: each stands behind all that it implies. */
const MODELS = {
  'read-uncommitted': { implies: [], forbids: ['G0', 'duplicate-elements'] },
  'read-committed': { implies: ['read-uncommitted'], forbids: ['G1'] },
  'cursor-stability': { implies: ['read-committed'], forbids: ['lost-update'] },
  'monotonic-view': { implies: ['read-committed'], forbids: [] },
  'monotonic-snapshot-read': { implies: ['read-committed'], forbids: [] },
  'monotonic-atomic-view': { implies: ['read-committed'], forbids: [] },
  'strong-session-read-uncommitted': { implies: ['read-uncommitted'], forbids: ['G0-process'] },
  'strong-session-read-committed': {
    implies: ['read-committed', 'strong-session-read-uncommitted'],
    forbids: ['G1c-process'],
  },
  'strong-read-uncommitted': { implies: ['strong-session-read-uncommitted'], forbids: ['G0-realtime'] },
  'strong-read-committed': {
    implies: ['strong-session-read-committed', 'strong-read-uncommitted'],
    forbids: ['G1c-realtime'],
  },
  'read-atomic': { implies: ['monotonic-atomic-view'], forbids: ['internal', 'future-read'] },
  'update-atomic': { implies: ['read-atomic'], forbids: ['lost-update'] },
  'causal-cerone': { implies: ['read-atomic'], forbids: [] },
  prefix: { implies: ['causal-cerone'], forbids: [] },
  'parallel-snapshot-isolation': { implies: ['causal-cerone', 'update-atomic'], forbids: [] },
  'consistent-view': { implies: ['cursor-stability', 'monotonic-view'], forbids: ['G-single'] },
  'forward-consistent-view': { implies: ['consistent-view'], forbids: [] },
  'update-serializable': { implies: ['forward-consistent-view'], forbids: [] },
  'repeatable-read': {
    implies: ['cursor-stability', 'monotonic-atomic-view'],
    forbids: ['G2-item', 'lost-update'],
  },
  'snapshot-isolation': {
    implies: ['forward-consistent-view', 'monotonic-snapshot-read', 'parallel-snapshot-isolation', 'prefix'],
    forbids: ['internal', 'G-nonadjacent'],
  },
  serializable: { implies: ['repeatable-read', 'update-serializable', 'snapshot-isolation'], forbids: ['G2'] },
  'strong-session-snapshot-isolation': {
    implies: ['snapshot-isolation', 'strong-session-read-committed'],
    forbids: ['G1-process', 'G-nonadjacent-process'],
  },
  'strong-snapshot-isolation': {
    implies: ['strong-session-snapshot-isolation', 'strong-read-committed'],
    forbids: ['G1-realtime', 'G-nonadjacent-realtime'],
  },
  'strong-session-serializable': {
    implies: ['serializable', 'strong-session-snapshot-isolation'],
    forbids: ['G2-process'],
  },
  'strict-serializable': {
    implies: ['strong-session-serializable', 'strong-snapshot-isolation'],
    forbids: ['G2-realtime'],
  },
} as const satisfies Readonly<
  Record<string, { readonly implies: readonly string[]; readonly forbids: readonly AnomalyClass[] }>
>

export type Consistency = keyof typeof MODELS

/** From the weakest to the strongest. */
export const CONSISTENCIES = Object.keys(MODELS) as readonly Consistency[]

/** The model, and all weaker ones that it implies. */
function withWeaker(model: Consistency): Set<Consistency> {
  const all = new Set([model])
  for (const one of all) for (const weaker of MODELS[one].implies) all.add(weaker)
  return all
}

const FORBIDDEN = new Map<Consistency, Set<AnomalyClass>>(
  CONSISTENCIES.map((model) => [model, new Set([...withWeaker(model)].flatMap((weaker) => MODELS[weaker].forbids))]),
)

/** Whether a history that has the anomaly breaks the model. */
export function forbids(model: Consistency, anomaly: AnomalyClass): boolean {
  const forbidden = FORBIDDEN.get(model)!
  for (const one of withImplied([anomaly])) if (forbidden.has(one)) return true
  return false
}

/** What orders transactions in a model beside data: the order of each process, or real time too. */
export function orderOf(model: Consistency): 'data' | 'process' | 'realtime' {
  const weaker = withWeaker(model)
  if (weaker.has('strong-read-uncommitted')) return 'realtime'
  return weaker.has('strong-session-read-uncommitted') ? 'process' : 'data'
}

/** The models that a history with these anomalies breaks, from the weakest to the strongest. */
export function impossibleModels(anomalies: Iterable<AnomalyClass>): Consistency[] {
  const found = withImplied(anomalies)
  return CONSISTENCIES.filter((model) => {
    for (const one of FORBIDDEN.get(model)!) if (found.has(one)) return true
    return false
  })
}

/** Of these models, those that imply no other of them. */
export function weakest(models: readonly Consistency[]): Consistency[] {
  return models.filter((model) => {
    const weaker = withWeaker(model)
    return !models.some((other) => other !== model && weaker.has(other))
  })
}
