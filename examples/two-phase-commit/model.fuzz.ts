/** A model may be wrong as well. This one is small enough to try everything that it allows. */
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
  // Throws where the model's invariant is broken, with the way there.
  const { states } = reachable(definition, () => everything)
  // Before it begins 1; while it prepares each participant is asked, prepared or has refused: 9; and so it may be when the
  // decision is to abort: 9; when it is to commit, each is prepared or has committed: 4.
  assert.equal(states.length, 1 + 9 + 9 + 4)
})
