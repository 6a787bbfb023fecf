/** The catalogue: every file of properties has a row, every row a file, and every package its versions. */
import { readdirSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COLLECTIONS, versionsOf } from '../subjects/catalogue.ts'

const SUBJECTS = resolve(import.meta.dirname, '../subjects')

describe.each(Object.entries(COLLECTIONS))('%s', (collection, subjects) => {
  test('has a row for every file of properties, and a file for every row', () => {
    const files = readdirSync(resolve(SUBJECTS, collection), { recursive: true, encoding: 'utf8' })
    const programs = files.filter((file) => file.endsWith('.fuzz.ts') && !file.includes('node_modules'))
    const rows = subjects.map(({ file }) => relative(resolve(SUBJECTS, collection), file))
    expect([...new Set(rows)].sort()).toEqual(programs.sort())
    expect(new Set(subjects.map(({ name }) => name)).size).toBe(subjects.length)
  })

  test.each(subjects.filter((subject) => subject.package !== undefined))('$name has versions', (subject) => {
    for (const version of versionsOf(subject)) expect(version).toMatch(/@\d+\.\d+\.\d+$/)
    expect(versionsOf(subject).length, basename(subject.file)).toBeGreaterThan(0)
  })
})
