/** The faults of databases. Their names are those in the option `faults`. */
export const DATABASE_FAULT_KINDS = ['databaseErrors', 'databaseRestarts', 'databaseFailovers'] as const

export type DatabaseFaultKind = (typeof DATABASE_FAULT_KINDS)[number]
