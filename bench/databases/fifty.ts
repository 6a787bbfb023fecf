/**
 * Fifty isolation specifications of PostgreSQL 15: the first of its `isolation_schedule`, in that order. Chosen before
 * any ran. None of them needs an extension, a prepared transaction or an injection point.
 */
export const FIFTY: readonly string[] = [
  ...['read-only-anomaly', 'read-only-anomaly-2', 'read-only-anomaly-3', 'read-write-unique', 'read-write-unique-2'],
  ...['read-write-unique-3', 'read-write-unique-4', 'simple-write-skew', 'receipt-report', 'temporal-range-integrity'],
  ...['project-manager', 'classroom-scheduling', 'total-cash', 'referential-integrity', 'ri-trigger', 'partial-index'],
  ...['two-ids', 'multiple-row-versions', 'index-only-scan', 'predicate-lock-hot-tuple', 'update-conflict-out'],
  ...['deadlock-simple', 'deadlock-hard', 'deadlock-soft', 'deadlock-soft-2', 'deadlock-parallel'],
  ...['detach-partition-concurrently-1', 'detach-partition-concurrently-2', 'detach-partition-concurrently-3'],
  ...['detach-partition-concurrently-4', 'fk-contention', 'fk-deadlock', 'fk-deadlock2', 'fk-partitioned-1'],
  ...['fk-partitioned-2', 'fk-snapshot', 'eval-plan-qual', 'eval-plan-qual-trigger', 'inplace-inval'],
  ...['intra-grant-inplace', 'intra-grant-inplace-db', 'lock-update-delete', 'lock-update-traversal', 'inherit-temp'],
  ...['temp-schema-cleanup', 'insert-conflict-do-nothing', 'insert-conflict-do-nothing-2', 'insert-conflict-do-update'],
  ...['insert-conflict-do-update-2', 'insert-conflict-do-update-3'],
]
