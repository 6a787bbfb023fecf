/**
 * What is known of the tests of a file, kept in `.norn/flaky` from one call to the next: over unchanged code
 * a call goes on where the last one stopped.
 *
 * Invariant: nothing is taken over from other code. Code is the files of the project that the tests loaded,
 * their packages' lockfile, and norn itself.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { shortHash } from '../../contract/fingerprint.ts'
import type { ListedProperty, ListedTest } from '../../process/protocol.ts'
import { slugOf, systemReason, writeAtomically } from '../../storage/files.ts'
import type { Suspect } from './file-pass.ts'
import type { TestReport } from './test-report.ts'

const FOLDER = join('.norn', 'flaky')
const FORMAT = 'norn flaky 1'
const LOCKFILES = ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'package.json']

/** How far the tests of a file have been searched. Plain data. */
export interface FileState {
  readonly tests: readonly ListedTest[]
  readonly reports: readonly TestReport[]
  /** All tests that pass in the order of the file, as one property; undefined if that shows nothing more. */
  readonly whole: ListedProperty | undefined
  readonly suspects: readonly Suspect[]
  /** Rounds behind the first pass, and executions of each test in all of them. */
  readonly rounds: number
  readonly ran: number
  /** The files of the project that it loads, relative to the root. */
  readonly files: readonly string[]
}

/**
 * Writes the state of a file. Returns why it could not.
 *
 * @param norn identifies the norn that found it
 */
export function keepState(root: string, norn: string, file: string, state: FileState): string | undefined {
  const kept = { format: FORMAT, norn, code: codeOf(root, state.files), ...state }
  try {
    writeAtomically(pathOf(root, file), `${JSON.stringify(kept)}\n`)
    return undefined
  } catch (error) {
    const reason = systemReason(error)
    if (reason === undefined) throw error
    return `cannot keep in ${FOLDER} what is known of ${file}: ${reason}`
  }
}

/**
 * The state of a file over the same code; undefined if there is none, or it cannot be read.
 *
 * @param norn identifies the norn that goes on
 */
export function keptState(root: string, norn: string, file: string): FileState | undefined {
  const kept = read(pathOf(root, file))
  if (kept?.format !== FORMAT || kept.norn !== norn || kept.code !== codeOf(root, kept.files)) return undefined
  return kept
}

/** The files that a file of tests loaded when it was last run; undefined if it never was. */
export function filesOf(root: string, file: string): readonly string[] | undefined {
  const kept = read(pathOf(root, file))
  return kept?.format === FORMAT ? kept.files : undefined
}

type Kept = FileState & { readonly format: string; readonly norn: string; readonly code: string }

function read(path: string): Kept | undefined {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Kept
    const lists = [kept.tests, kept.reports, kept.suspects, kept.files]
    return lists.every(Array.isArray) ? kept : undefined
  } catch {
    return undefined
  }
}

function pathOf(root: string, file: string): string {
  return join(root, FOLDER, `${slugOf(file)}-${shortHash(file)}.json`)
}

function codeOf(root: string, files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of [...files, ...LOCKFILES])
    hash
      .update(`${file}\0`)
      .update(textOf(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Paths relative to the root. */
export function within(root: string, paths: readonly string[]): readonly string[] {
  return paths.map((path) => relative(root, path)).sort()
}
