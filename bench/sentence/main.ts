/**
 * The sentence suite: of known races, whether the sentence on top of the report names both operations that the
 * fix puts in order. A row has the sentence, and what it is: `right`, `silent` or `wrong`.
 */
import { installPackages } from '../install.ts'
import { count, defineSuite, type FilteredOptions, ONLY } from '../suite.ts'
import { SubjectProcess } from '../trials/subject-process.ts'
import { FOLDER, type SentenceSubject, SUBJECTS } from './subjects.ts'

interface Row {
  readonly suite: 'sentence'
  readonly subject: string
  readonly is: 'right' | 'silent' | 'wrong' | 'not found'
  readonly sentence: string | null
}

interface Seeded {
  readonly seed: number | undefined
}

export const suite = defineSuite({
  summary: 'whether the sentence on top of a report names both operations of a known race',
  options: { only: ONLY, seed: count('seed', 'the seed of the searches (default: 1)') },
  run,
})

const SMOKE = ['mkdirp', 'p-queue', 'job-attempts']
const RUNS = 2000

async function run({ smoke, json, only = '', seed = 1 }: FilteredOptions & Seeded): Promise<void> {
  const subjects = SUBJECTS.filter(({ name }) => name.includes(only) && (!smoke || SMOKE.includes(name)))
  if (subjects.some(({ isApart }) => isApart)) installPackages(FOLDER)
  const counts = { right: 0, silent: 0, wrong: 0, 'not found': 0 }
  for (const subject of subjects) {
    const row = await judged(subject, seed)
    counts[row.is]++
    console.log(json ? JSON.stringify(row) : `${row.subject}: ${row.is}${row.sentence ? `: ${row.sentence}` : ''}`)
  }
  if (!json)
    console.log(
      Object.entries(counts)
        .map(([is, count]) => `${count} ${is}`)
        .join(', '),
    )
  if (counts.wrong > 0) process.exitCode = 1
}

/** Found and shrunk from a seed. */
async function judged(subject: SentenceSubject, seed: number): Promise<Row> {
  const process = new SubjectProcess(subject)
  try {
    const { shrunk } = await process.trial({ strategy: 'portfolio', shrink: true }, seed, { runs: RUNS })
    const sentence = (shrunk && (await process.sentence(shrunk))) ?? null
    const named = sentence === null ? 'silent' : isRight(subject, sentence) ? 'right' : 'wrong'
    return { suite: 'sentence', subject: subject.name, is: shrunk === undefined ? 'not found' : named, sentence }
  } finally {
    process.close()
  }
}

function isRight({ operations }: SentenceSubject, sentence: string): boolean {
  return operations.every((operation) => operation.test(sentence))
}
