/** The files that `follow` and `validate` name, and how a wrong one is reported. */
import { constants } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type ExitStatus, UsageError } from '#shared/cli/exit-status'
import { print, printError } from '#shared/print'
import { TlaError } from '../error/error.ts'
import type { Machine } from '../evaluate/machine.ts'
import { DataError } from '../follow/from-data.ts'
import { readTrace, type TraceEntry, TraceFileError } from '../follow/trace-file.ts'
import { loadMachine } from '../node/load.ts'
import { type ConfigurationOptions, configurationOf, specificationFile } from './inputs.ts'

export interface TraceOptions extends ConfigurationOptions {
  readonly trace: string
  readonly json: boolean
}

/** Runs a command; a wrong input is a wrong call. With JSON, the last line says so too. */
export async function refusing(json: boolean, command: () => ExitStatus | Promise<ExitStatus>): Promise<ExitStatus> {
  try {
    return await command()
  } catch (error) {
    const isKnown = [TlaError, TraceFileError, DataError, UsageError].some((kind) => error instanceof kind)
    if (!isKnown) throw error
    const { message } = error as Error
    if (json) print(JSON.stringify({ type: 'end', result: 'refused', message }))
    throw new UsageError(error instanceof TlaError ? error.describe() : message)
  }
}

/** The machine of a specification; its output goes to stderr. */
export function machineOf(named: string, options: ConfigurationOptions): { machine: Machine; specification: string } {
  const specification = specificationFile(named)
  const machine = loadMachine(specification, {
    configuration: configurationOf(specification, options),
    library: options.library,
    print: (line) => printError(line),
  })
  return { machine, specification }
}

/** @throws TraceFileError, UsageError */
export function entriesOf(path: string): readonly TraceEntry[] {
  return readTrace(shownFile(path), textOf(path))
}

/** How messages name a file. */
export function shownFile(path: string): string {
  return path === '-' ? 'stdin' : path
}

/** The text of a file, which may be compressed. @throws UsageError */
function textOf(path: string): string {
  try {
    const content = readFileSync(path === '-' ? 0 : path)
    const isCompressed = content[0] === 0x1f && content[1] === 0x8b
    return (isCompressed ? gunzipSync(content) : content).toString('utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new UsageError(`no such file: ${path}`)
    if (code === 'EISDIR') throw new UsageError(`${path} is a folder`)
    if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE' || code === 'ERR_BUFFER_TOO_LARGE') {
      const most = Math.floor(constants.MAX_STRING_LENGTH / 2 ** 20)
      throw new UsageError(`${shownFile(path)} is too large: at most ${most} MB can be read; pass a part of it`)
    }
    throw new UsageError(`${shownFile(path)}: ${message}`)
  }
}
