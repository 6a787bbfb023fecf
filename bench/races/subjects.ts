/** The subjects of the races suite: those without sockets, then those with. */
import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'

const FOLDERS = ['subjects', 'sockets'].map((folder) => resolve(import.meta.dirname, folder))
export const ROOT = resolve(import.meta.dirname, '../..')

/** The names of the subjects, sorted in each folder. @param only a part of the name */
export function subjects(only: string): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.fuzz.ts') && file.includes(only))
      .sort()
      .map((file) => file.replace(/\.fuzz\.ts$/, '')),
  )
}

/** The file of a subject's property. */
export function subjectFile(subject: string): string {
  return located(`${subject}.fuzz.ts`)!
}

/**
 * The alias for the fixed version. The logger has no fixed release, so it has a wrapper of ours.
 */
export function fixedSide(subject: string): [string, string] {
  return [`${subject}-buggy`, located(`${subject}-fixed.ts`) ?? `${subject}-fixed`]
}

function located(file: string): string | undefined {
  return FOLDERS.map((folder) => resolve(folder, file)).find((path) => existsSync(path))
}
