/**
 * Opens a line of a file in the user's editor: that of LAUNCH_EDITOR, one that runs, or that of VISUAL or EDITOR.
 *
 * The parts of launch-editor that find an editor and know its arguments. Its own way to start one hands it
 * standard output, which may be JSON lines here, and the terminal, which norn writes to.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'

/** These need a terminal of their own. */
const IN_TERMINAL = new Set('vi vim nvim nano pico joe micro hx helix kak ed ne'.split(' '))

const WANTED = 'set LAUNCH_EDITOR to one, such as LAUNCH_EDITOR=code'

/** An editor and its arguments, without those for a file. */
export type FindEditor = () => readonly string[] | undefined

type Guess = (specified?: string) => readonly (string | null)[]
type GetArguments = (editor: string, file: string, line: number, column: number) => readonly (string | number)[]

const require = createRequire(import.meta.url)

/** The first editor found that has a window. */
export const findEditor: FindEditor = () => {
  const guess = require('launch-editor/guess.js') as Guess
  const { VISUAL, EDITOR } = process.env
  for (const found of [guess()[0], VISUAL, EDITOR]) {
    if (!found) continue
    // A variable may hold options, as in `code --wait`.
    const command = existsSync(found) ? [found] : guess(found).filter((each) => typeof each === 'string')
    if (command.length > 0 && !IN_TERMINAL.has(basename(command[0]!))) return command
  }
  return undefined
}

/**
 * @param path absolute
 * @returns why it could not be opened
 */
export async function openInEditor(path: string, line: number, find = findEditor): Promise<string | undefined> {
  const [editor, ...options] = find() ?? []
  if (editor === undefined) return `no editor with a window was found: ${WANTED}`
  const argumentsFor = require('launch-editor/get-args.js') as GetArguments
  const started = spawn(editor, [...options, ...argumentsFor(editor, path, line, 1).map(String)], {
    ...{ stdio: 'ignore', detached: true },
  })
  started.unref()
  return new Promise((resolve) => {
    started.once('spawn', () => resolve(undefined))
    started.once('error', ({ message }) => resolve(`the editor did not start (${message}): ${WANTED}`))
  })
}
