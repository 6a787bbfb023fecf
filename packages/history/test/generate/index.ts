/**
 * Histories to test checkers with, and references to hold checkers against.
 *
 * Generators take a source of random numbers; equal seeds give equal histories. Of objects:
 * `linearizableHistory` and `sequentialHistory` are correct by construction, `brokenHistory` is
 * linearizable but for a violation of a known kind (`breaksOf`), `randomHistory` may be anything. Of
 * transactions: `transactionHistory` is at one of `LEVELS`, `anomalousHistory` strictly serializable but
 * for one anomaly (`anomaliesOf`). The references try everything, for at most about eight operations.
 */
export { anomaliesOf, type PlantedAnomaly } from './anomalies.ts'
export { type Break, breaksOf } from './breaks.ts'
export { isLinearizableByBruteForce } from './brute-force.ts'
export { type DependencyLevel, isAllowedByBruteForce } from './brute-force-dependencies.ts'
export { isSerializableByBruteForce } from './brute-force-transactions.ts'
export { type ExpectedFindings, expectedFindings } from './expected-findings.ts'
export { brokenHistory, type HistoryOptions, linearizableHistory } from './linearizable-history.ts'
export { anomalousHistory } from './planted-anomaly.ts'
export { type Random, randomFrom } from './random.ts'
export { randomHistory } from './random-history.ts'
export { type RandomTransactionOptions, randomTransactions } from './random-transactions.ts'
export { sequentialHistory } from './sequential-history.ts'
export { LEVELS, type Level } from './simulated-database.ts'
export { type TransactionOptions, transactionHistory } from './transaction-history.ts'
