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

/**
 * A model of consistency of transactions; `CONSISTENCIES` lists them.
 *
 * @public
 */
export type Consistency = keyof typeof MODELS

/**
 * The models of consistency, from the weakest to the strongest.
 *
 * @public
 */
export const CONSISTENCIES = Object.keys(MODELS) as readonly Consistency[]

/** @throws RangeError if there is no such model */
export function assertConsistency(name: string): asserts name is Consistency {
  if (!Object.hasOwn(MODELS, name))
    throw new RangeError(`unknown consistency: ${name}; one of ${CONSISTENCIES.join(', ')}`)
}

/** The model, and all weaker ones that it implies. */
function withWeaker(model: Consistency): Set<Consistency> {
  const all = new Set([model])
  for (const one of all) for (const weaker of MODELS[one].implies) all.add(weaker)
  return all
}

const FORBIDDEN = new Map<Consistency, Set<AnomalyClass>>(
  CONSISTENCIES.map((model) => [model, new Set([...withWeaker(model)].flatMap((weaker) => MODELS[weaker].forbids))]),
)

/**
 * Whether a history that has the anomaly breaks the model.
 *
 * @public
 */
export function forbids(model: Consistency, anomaly: AnomalyClass): boolean {
  const forbidden = FORBIDDEN.get(model)!
  for (const one of withImplied([anomaly])) if (forbidden.has(one)) return true
  return false
}

/**
 * What orders transactions in a model beside data: the order of each process, or real time too.
 *
 * @throws RangeError if there is no such model
 * @public
 */
export function orderOf(model: Consistency): 'data' | 'process' | 'realtime' {
  assertConsistency(model)
  const weaker = withWeaker(model)
  if (weaker.has('strong-read-uncommitted')) return 'realtime'
  return weaker.has('strong-session-read-uncommitted') ? 'process' : 'data'
}

/**
 * The models that a history with these anomalies breaks, from the weakest to the strongest.
 *
 * @public
 */
export function impossibleModels(anomalies: Iterable<AnomalyClass>): Consistency[] {
  const found = withImplied(anomalies)
  return CONSISTENCIES.filter((model) => {
    for (const one of FORBIDDEN.get(model)!) if (found.has(one)) return true
    return false
  })
}

/**
 * Of these models, those that imply no other of them.
 *
 * @public
 */
export function weakest(models: readonly Consistency[]): Consistency[] {
  return models.filter((model) => {
    const weaker = withWeaker(model)
    return !models.some((other) => other !== model && weaker.has(other))
  })
}

/** Of these models, those that no other of them implies. */
export function strongest(models: readonly Consistency[]): Consistency[] {
  return models.filter((model) => !models.some((other) => other !== model && withWeaker(other).has(model)))
}

/**
 * Models that forbid more than the anomalies that are sought here, such as a cycle of all updates and
 * one read (G-update): without an anomaly they hold, but that of one that they do not forbid is open.
 */
const PARTIAL: ReadonlySet<Consistency> = new Set<Consistency>([
  ...(['monotonic-view', 'monotonic-snapshot-read', 'monotonic-atomic-view', 'read-atomic', 'update-atomic'] as const),
  ...(['causal-cerone', 'prefix', 'parallel-snapshot-isolation'] as const),
  ...(['forward-consistent-view', 'update-serializable'] as const),
])

const ORDERS: readonly ReturnType<typeof orderOf>[] = ['data', 'process', 'realtime']

/**
 * The models that hold: those that forbid nothing but what was sought, and what they imply.
 *
 * @param order of the cycles that were sought
 * @param undecided anomalies that may be there undetected
 */
export function heldModels(
  impossible: readonly Consistency[],
  order: ReturnType<typeof orderOf>,
  undecided: readonly AnomalyClass[],
): Consistency[] {
  const held = CONSISTENCIES.filter(
    (model) =>
      !PARTIAL.has(model) &&
      !impossible.includes(model) &&
      ORDERS.indexOf(orderOf(model)) <= ORDERS.indexOf(order) &&
      !undecided.some((type) => forbids(model, type)),
  )
  const implied = new Set(held.flatMap((model) => [...withWeaker(model)]))
  return CONSISTENCIES.filter((model) => implied.has(model))
}
