import type { Mutant } from '../mutant.ts'

export const committedLogVote: Mutant = {
  name: 'committed-log-vote',
  what: 'A node votes for a candidate whose log has what the node knows as committed.',
  edits: [
    {
      file: 'log.go',
      before: 'term == l.lastTerm() && lasti >= l.lastIndex()',
      after: 'term == l.lastTerm() && lasti >= l.committed',
    },
  ],
}
