/** The subjects of the confuzz suite, and what of the baselines cannot be done with which. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Subject {
  /** As in the paper; its properties are called this, a colon, and what must hold. */
  readonly name: string
  /** Absolute path of the file of properties. */
  readonly file: string
  /** Techniques that are left out, and why. */
  readonly without: Readonly<Record<string, string>>
}

const NO_INPUT = { 'schedule-only': 'it has no input: that is the technique random' }
const NO_CLOCK = { 'fast-check': 'its bug lies in time, and fc.scheduler has no clock' }
const NO_SCHEDULE = { 'schedule-only': 'it has no schedule' }

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
  return { name, file: resolve(ROOT, 'bench', 'confuzz', 'subjects', `${stem}.fuzz.ts`), without }
}
