import type { Mutant } from '../mutant.ts'

export const oldLogVote: Mutant = {
  name: 'old-log-vote',
  what: 'A node votes for a candidate with an older last term, if its log is longer.',
  edits: [
    {
      file: 'log.go',
      before: '	return term > l.lastTerm() || (term == l.lastTerm() && lasti >= l.lastIndex())',
      after:
        '	return term > l.lastTerm() || (term == l.lastTerm() && lasti >= l.lastIndex()) || lasti > l.lastIndex()',
    },
  ],
}
