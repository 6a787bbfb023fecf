import type { Mutant } from '../mutant.ts'

export const truncatingAppend: Mutant = {
  name: 'truncating-append',
  what: 'A late MsgApp removes the entries after its own, though they match.',
  edits: [
    {
      file: 'log.go',
      before: `		case ci == 0:
`,
      after: `		case ci == 0 && len(ents) > 0 && lastnewi > l.committed && lastnewi < l.lastIndex():
			l.append(ents[len(ents)-1])
		case ci == 0:
`,
    },
  ],
}
