import type { Mutant } from '../mutant.ts'

export const duplicateVote: Mutant = {
  name: 'duplicate-vote',
  what: 'A vote that arrives twice counts twice.',
  edits: [
    {
      file: 'tracker/tracker.go',
      before: `	if !ok {
		p.Votes[id] = v
	}
`,
      after: `	if !ok {
		p.Votes[id] = v
		return
	}
	if v && p.Votes[id] {
		for _, other := range p.VoterNodes() {
			if _, voted := p.Votes[other]; !voted {
				p.Votes[other] = true
				return
			}
		}
	}
`,
    },
  ],
  variant: { nodes: ['a', 'b', 'c', 'd', 'e'] },
}
