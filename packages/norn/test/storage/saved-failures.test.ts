import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NO_CHOICES } from '../../src/contract/choices.ts'
import type { SavedFailure } from '../../src/contract/saved-failure.ts'
import { FAILURES_FOLDER, saveFailure } from '../../src/storage/failure-file.ts'
import { OWNER } from '../../src/storage/files.ts'
import { savedFailures } from '../../src/storage/saved-failures.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'norn-saved-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const saved = (more: Partial<SavedFailure> = {}): SavedFailure => ({
  property: 'holds',
  file: 'a.test.ts',
  identity: 'error|Error',
  failure: { kind: 'error', errorName: 'Error', message: 'no', stack: 'Error: no', frames: [] },
  input: undefined,
  inputText: '',
  choices: NO_CHOICES,
  traceHash: '1',
  aliases: [],
  found: { seed: 1, execution: 1, strategy: 'natural', name: undefined, example: undefined },
  shrunk: true,
  environment: { node: '24.0.0', norn: '0.1.0', commit: undefined, variables: undefined },
  ...more,
})

describe('the saved failures of a property', () => {
  test('are read without what a killed process left beside them', () => {
    const path = saveFailure(root, saved())
    // No process has this id.
    const left = `${OWNER.split('-')[0]}-${2 ** 22 + 1}`
    for (const ending of ['json', 'svg']) writeFileSync(join(dirname(path), `.x.${ending}.${left}.tmp`), '')
    expect(savedFailures(root, 'a.test.ts', 'holds').failures).toHaveLength(1)
    expect(readdirSync(dirname(path))).toHaveLength(1)
  })

  test('are none where nothing was ever saved', () => {
    expect(savedFailures(root, 'a.test.ts', 'holds')).toEqual({ failures: [], unreadable: [] })
  })

  test('are none where their folder cannot be read, and that is said', () => {
    writeFileSync(join(root, '.norn'), '')
    const { failures, unreadable } = savedFailures(root, 'a.test.ts', 'holds')
    expect(failures).toEqual([])
    expect(unreadable).toEqual([`cannot read the saved failures in ${FAILURES_FOLDER}: not a directory (ENOTDIR)`])
  })

  test('are its own: not those of another file, nor of a property whose name begins with its own', () => {
    saveFailure(root, saved({ identity: 'one' }))
    saveFailure(root, saved({ identity: 'two' }))
    saveFailure(root, saved({ identity: 'three', file: 'b.test.ts' }))
    saveFailure(root, saved({ property: 'holds too' }))
    const { failures, unreadable } = savedFailures(root, 'a.test.ts', 'holds')
    const own = ['a.test.ts', 'holds']
    expect(failures.map(({ saved }) => [saved.file, saved.property])).toEqual([own, own])
    expect(failures.map(({ path }) => path)).toEqual(failures.map(({ path }) => path).toSorted())
    expect(unreadable).toEqual([])
  })

  test('are read though a file among them cannot be, which is told of', () => {
    saveFailure(root, saved())
    mkdirSync(join(root, FAILURES_FOLDER), { recursive: true })
    writeFileSync(join(root, FAILURES_FOLDER, 'holds-0.json'), '{')
    const { failures, unreadable } = savedFailures(root, 'a.test.ts', 'holds')
    expect(failures).toHaveLength(1)
    expect(unreadable).toEqual([expect.stringMatching(/holds-0\.json: not JSON/)])
  })
})
