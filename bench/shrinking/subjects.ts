/** The failures whose minima the part `races` compares, in three groups. */
import { resolve } from 'node:path'
import { CONFUZZ, RACES, ROOT } from '../subjects/catalogue.ts'

export interface Subject {
  readonly name: string
  readonly group: 'published race' | 'tuned on' | 'other'
  readonly file: string
  /** The property in the file. Default: the first one. */
  readonly property?: string
}

/** Chosen before their minima were measured; the shrinker was not tuned on them. */
const OTHERS: readonly Omit<Subject, 'group'>[] = [
  ...CONFUZZ.filter(({ name }) => ['CLF', 'FPS', 'GHO', 'LWT', 'MX', 'NKD', 'TCP'].includes(name)),
  { name: 'account', file: 'examples/account/account.fuzz.ts' },
  { name: 'lock that trusts its clients', file: 'examples/lock/mistake.fuzz.ts' },
  {
    name: 'two-phase commit',
    file: 'examples/two-phase-commit/mistakes.fuzz.ts',
    property: 'a coordinator that forgets its decision',
  },
]

export function subjects(only: string): readonly Subject[] {
  const tuned = ['proper-lockfile', 'tar'].map((name) => ({ name, file: `bench/shrinking/subjects/${name}.fuzz.ts` }))
  return [
    ...RACES.map((subject) => ({ ...subject, group: 'published race' as const })),
    ...tuned.map((subject) => ({ ...subject, group: 'tuned on' as const })),
    ...OTHERS.map((subject) => ({ ...subject, group: 'other' as const })),
  ]
    .filter(({ name }) => name.includes(only))
    .map((subject) => ({ ...subject, file: resolve(ROOT, subject.file) }))
}
