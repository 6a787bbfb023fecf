/** Where the subjects of the races suite stand, and what stands for a subject's package on the fixed side. */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const SUBJECTS = fileURLToPath(new URL('./subjects/', import.meta.url))
export const ROOT = resolve(SUBJECTS, '..', '..', '..')

/** The alias that puts the fixed version in place; the logger has no fixed release, so we wrote a wrapper. */
export function fixedSide(subject: string): [string, string] {
  const own = `${subject}-fixed.ts`
  return [`${subject}-buggy`, readdirSync(SUBJECTS).includes(own) ? resolve(SUBJECTS, own) : `${subject}-fixed`]
}
