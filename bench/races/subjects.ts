/** The subjects of the races suite. */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'

export const SUBJECTS = resolve(import.meta.dirname, 'subjects')
export const ROOT = resolve(import.meta.dirname, '../..')

/** The names of the subjects, sorted. @param only a part of the name */
export function subjects(only: string): readonly string[] {
  return readdirSync(SUBJECTS)
    .filter((file) => file.endsWith('.fuzz.ts') && file.includes(only))
    .sort()
    .map((file) => file.replace(/\.fuzz\.ts$/, ''))
}

/**
 * The alias for the fixed version. The logger has no fixed release, so it has a wrapper of ours.
 */
export function fixedSide(subject: string): [string, string] {
  const own = `${subject}-fixed.ts`
  return [`${subject}-buggy`, readdirSync(SUBJECTS).includes(own) ? resolve(SUBJECTS, own) : `${subject}-fixed`]
}
