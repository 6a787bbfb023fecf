/** The subjects of the confuzz suite, and the baselines that each rules out. */
import { resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

export interface Subject {
  /** As in the paper. A property is named after it: the name, a colon, and the law. */
  readonly name: string
  /** Absolute path of the file of properties. */
  readonly file: string
  /** The techniques that it rules out, with the reason. */
  readonly without: Readonly<Record<string, string>>
}

const NO_INPUT = { 'schedule-only': 'the subject has no input: this is the technique random' }
const NO_CLOCK = { 'fast-check': 'the bug depends on time, and fc.scheduler has no clock' }
const NO_SCHEDULE = { 'schedule-only': 'the subject has no schedule' }

export const SUBJECTS: readonly Subject[] = [
  subject('IR', 'ir', NO_INPUT),
  subject('LWT', 'lwt', NO_INPUT),
  subject('TCP', 'tcp', NO_CLOCK),
  subject('GHO', 'gho'),
  subject('PB', 'pb'),
  subject('NKD', 'nkd'),
  subject('CLF', 'clf', NO_CLOCK),
  subject('FPS', 'fps', NO_CLOCK),
  subject('MX', 'mx'),
  subject('pipe', 'pipe'),
  subject('B1', 'b1', NO_CLOCK),
  ...[1, 2, 3, 4, 5].map((n) => subject(`B2(${n})`, 'b2', NO_INPUT)),
  subject('needle', 'needle', NO_SCHEDULE),
]

function subject(name: string, stem: string, without: Subject['without'] = {}): Subject {
  return { name, file: resolve(import.meta.dirname, 'subjects', `${stem}.fuzz.ts`), without }
}
