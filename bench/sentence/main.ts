/**
 * The sentence suite: of known races, whether the sentence on top of the report names both operations that the
 * fix puts in order. A row has the sentence, and what it is: `right`, `silent` or `wrong`.
 */
import { installPackages } from '../install.ts'
import { defineSuite, type FilteredOptions, ONLY } from '../suite.ts'
import { SubjectProcess } from '../trials/subject-process.ts'
import { FOLDER, type SentenceSubject, SUBJECTS } from './subjects.ts'

interface Row {
  readonly suite: 'sentence'
  readonly subject: string
  readonly is: 'right' | 'silent' | 'wrong' | 'not found'
  readonly sentence: string | null
}

export const suite = defineSuite({
  summary: 'whether the sentence on top of a report names both operations of a known race',
  options: { only: ONLY },
  run,
})

const SMOKE = ['steno', 'mkdirp', 'job-attempts']
const RUNS = 2000

async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const subjects = SUBJECTS.filter(({ name }) => name.includes(only) && (!smoke || SMOKE.includes(name)))
  if (subjects.some(({ isApart }) => isApart)) installPackages(FOLDER)
  const counts = { right: 0, silent: 0, wrong: 0, 'not found': 0 }
  for (const subject of subjects) {
    const row = await judged(subject)
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

/** Found and shrunk from one seed. */
async function judged(subject: SentenceSubject): Promise<Row> {
  const process = new SubjectProcess(subject)
  try {
    const { shrunk } = await process.trial({ strategy: 'portfolio', shrink: true }, 1, { runs: RUNS })
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
