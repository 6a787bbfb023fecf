/** A test of the model itself, which is small enough to enumerate. */
import assert from 'node:assert/strict'
import { fuzz } from 'norn'
import { reachable } from 'norn/cluster'
import { definition } from './model.ts'
import { PARTICIPANTS } from './two-phase-commit.ts'

fuzz('no way through the model tears a transaction apart', {}, () => {
  const transaction = 0
  const everything = [
    ...['Begin', 'DecideToCommit', 'DecideToAbort'].map((action) => ({ action, parameters: [transaction] })),
    ...['Prepare', 'Refuse', 'Commit', 'Abort'].flatMap((action) =>
      PARTICIPANTS.map((name) => ({ action, parameters: [name, transaction] })),
    ),
  ]
  // Throws if a state violates the model's invariant, with the shortest way there.
  const { states } = reachable(definition, () => everything)
  // Before the start: 1. While it prepares, each participant is asked, prepared or has refused: 9, and 9 again once
  // the decision is to abort. Once it is to commit, each participant is prepared or has committed: 4.
  assert.equal(states.length, 1 + 9 + 9 + 4)
})
