/**
 * The anomalies of Hermitage (https://github.com/ept/hermitage), and at which levels the documentation of a server lets
 * them happen.
 */

/** Without transactions everything may be seen: it shows that a property can fail. */
export type Level = 'no transaction' | 'read uncommitted' | 'read committed' | 'repeatable read' | 'serializable'

export type Anomaly =
  | 'G0'
  | 'G1a'
  | 'G1b'
  | 'G1c'
  | 'OTV'
  | 'PMP'
  | 'PMP of a write'
  | 'P4'
  | 'G-single'
  | 'G-single of predicates'
  | 'G-single of a write'
  | 'G2-item'
  | 'G2'
  | 'G2 with a reader'

interface Server {
  readonly levels: readonly Level[]
  /** The levels at which an anomaly may be seen, beside no transaction. */
  readonly allowed: Readonly<Record<Anomaly, readonly Level[]>>
}

const [U, C, R] = ['read uncommitted', 'read committed', 'repeatable read'] as const

/**
 * https://www.postgresql.org/docs/15/transaction-iso.html: its table forbids dirty reads everywhere, lets each
 * statement of READ COMMITTED see what was committed before it began, gives REPEATABLE READ one snapshot and refuses it
 * to write over what was committed since, and leaves only "serialization anomalies" to SERIALIZABLE.
 */
const postgres: Server = {
  levels: ['no transaction', C, R, 'serializable'],
  allowed: {
    G0: [],
    G1a: [],
    G1b: [],
    G1c: [],
    OTV: [],
    PMP: [C],
    'PMP of a write': [C],
    P4: [C],
    'G-single': [C],
    'G-single of predicates': [C],
    'G-single of a write': [C],
    'G2-item': [C, R],
    G2: [C, R],
    'G2 with a reader': [C, R],
  },
}

/**
 * https://mariadb.com/kb/en/set-transaction/#isolation-levels, of InnoDB: READ UNCOMMITTED reads what is not committed;
 * plain reads of READ COMMITTED have a snapshot each, those of REPEATABLE READ one for all, but what writes sees the
 * newest version at every level, and locks it, so there nothing is lost but what was read before. (So a deletion that
 * waits for a change sees it, and what it has deleted is gone: PMP of a write needs dirty reads.) SERIALIZABLE locks
 * what it reads.
 */
const mariadb: Server = {
  levels: ['no transaction', U, C, R, 'serializable'],
  allowed: {
    G0: [],
    G1a: [U],
    G1b: [U],
    G1c: [U],
    OTV: [U],
    PMP: [U, C],
    'PMP of a write': [U],
    P4: [U, C, R],
    'G-single': [U, C],
    'G-single of predicates': [U, C],
    'G-single of a write': [U, C, R],
    'G2-item': [U, C, R],
    G2: [U, C, R],
    'G2 with a reader': [U, C, R],
  },
}

export const SERVERS = { postgres, mariadb } as const

export const ANOMALIES = Object.keys(postgres.allowed) as readonly Anomaly[]

export function isAllowed(server: keyof typeof SERVERS, anomaly: Anomaly, level: Level): boolean {
  return level === 'no transaction' || SERVERS[server].allowed[anomaly].includes(level)
}

/** The name of a property. */
export function propertyName(anomaly: Anomaly, level: Level): string {
  return `${anomaly} at ${level}`
}
