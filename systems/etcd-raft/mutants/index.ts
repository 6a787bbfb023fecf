/** The mutants of the library. */
import type { Mutant } from '../mutant.ts'
import { committedLogVote } from './committed-log-vote.ts'
import { duplicateVote } from './duplicate-vote.ts'
import { forgottenVote } from './forgotten-vote.ts'
import { heartbeatCommit } from './heartbeat-commit.ts'
import { jointVote } from './joint-vote.ts'
import { learnerRead } from './learner-read.ts'
import { oldLogVote } from './old-log-vote.ts'
import { oldTermCommit } from './old-term-commit.ts'
import { oldVote } from './old-vote.ts'
import { pendingChange } from './pending-change.ts'
import { readBeforeCommit } from './read-before-commit.ts'
import { readWithoutQuorum } from './read-without-quorum.ts'
import { snapshotTail } from './snapshot-tail.ts'
import { staleLeader } from './stale-leader.ts'
import { truncatingAppend } from './truncating-append.ts'
import { unsyncedEntries } from './unsynced-entries.ts'

export const MUTANTS: readonly Mutant[] = [
  duplicateVote,
  forgottenVote,
  oldTermCommit,
  truncatingAppend,
  staleLeader,
  snapshotTail,
  oldVote,
  readWithoutQuorum,
  readBeforeCommit,
  learnerRead,
  unsyncedEntries,
  committedLogVote,
  oldLogVote,
  heartbeatCommit,
  pendingChange,
  jointVote,
]
