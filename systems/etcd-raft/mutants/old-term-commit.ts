import type { Mutant } from '../mutant.ts'

export const oldTermCommit: Mutant = {
  name: 'old-term-commit',
  what: 'A leader commits entries of earlier terms by counting replicas.',
  edits: [
    {
      file: 'log.go',
      before: '	if maxIndex > l.committed && l.zeroTermOnErrCompacted(l.term(maxIndex)) == term {',
      after: '	if maxIndex > l.committed {',
    },
  ],
}
