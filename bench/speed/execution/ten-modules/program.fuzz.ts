/**
 * A program of ten modules beside its file of properties: both kinds of modules, classes, tables
 * and state.
 */
import { fuzz } from 'norn'
import { Ledger } from './ledger.ts'
import { transfer } from './transfer.ts'

fuzz('money is neither made nor lost', {}, async () => {
  const ledger = new Ledger({ ann: 100, bob: 100, cy: 100 })
  await Promise.all([
    transfer(ledger, 'ann', 'bob', 10),
    transfer(ledger, 'bob', 'cy', 20),
    transfer(ledger, 'cy', 'ann', 30),
  ])
  if (ledger.total !== 300) throw new Error(`there are ${ledger.total}`)
})
