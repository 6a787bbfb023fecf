/**
 * The format of saved failures: one JSON file each under `.norn/failures/`, written by atomic
 * rename, validated when read.
 *
 * A file holds what a replay needs (the structured input, the choices, the aliases of modules),
 * what a person reads without replaying (the error, the input as text), and how the failure was
 * found. Its name is a function of what fails, where and under which aliases (`FailureKey`), so the
 * same failure is saved once, and no other takes its place.
 */

import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { jsonFault } from '#shared/json-fault'
import { essential } from '../contract/choices.ts'
import { FAILURE_KINDS, type FailureKind, type Frame } from '../contract/execution.ts'
import { fingerprint, shortHash } from '../contract/fingerprint.ts'
import type { FromExample, SavedInput } from '../contract/plan.ts'
import type { SavedFailure } from '../contract/saved-failure.ts'
import { parseSurroundings } from '../contract/surroundings.ts'
import { readExecutionOptions } from '../options/values.ts'
import { loadInput } from '../property/input/saved-input.ts'
import { decodeChoices, encodeChoices } from '../tape/codec.ts'
import { formatName, parseName } from '../tape/name.ts'
import { removeLeftovers, slugOf, writeAtomically } from './files.ts'

const FAILURE_VERSION = 1
export const FAILURES_FOLDER = join('.norn', 'failures')

const MAX_MESSAGE = 300
const FORMAT = 'norn failure'
const BYTE_ORDER_MARK = '\ufeff'
const MAX_BYTES = 64 * 1024 * 1024

/** Two failures with the same key are the same. An example of a property fails on its own. */
export type FailureKey = Pick<SavedFailure, 'property' | 'file' | 'identity' | 'aliases' | 'open'> & {
  readonly found: Pick<SavedFailure['found'], 'example'>
}

/** A file that is not a saved failure. Its message is one line: the path and the reason. */
export class FailureFileError extends Error {
  constructor(path: string, message: string) {
    super(`${path}: ${oneLine(message)}`)
    this.name = 'FailureFileError'
  }
}

/** A message may quote the file: at most one line, without control characters. */
function oneLine(message: string): string {
  const printable = message.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
  return printable.length > MAX_MESSAGE ? `${printable.slice(0, MAX_MESSAGE)}…` : printable
}

/** The path of a saved failure: a function of its key. */
export function failurePath(root: string, key: FailureKey): string {
  return join(root, FAILURES_FOLDER, `${failurePrefix(key.property)}${shortHash(keyText(key))}.json`)
}

/** Equal for equal keys, in which the order of aliases does not count. */
function keyText({ property, file, identity, aliases, found, open }: FailureKey): string {
  const opened = open === undefined ? [] : [open]
  return JSON.stringify([property, file, identity, aliasesText(aliases), found.example ?? null, ...opened])
}

/** Equal for the same aliases in any order. */
export function aliasesText(aliases: SavedFailure['aliases']): string {
  return JSON.stringify(aliases.map(([from, to]) => `${from}=${to}`).sort())
}

/** The prefix of the names of a property's failures; another property may have the same. */
export function failurePrefix(property: string): string {
  return `${slugOf(property)}-`
}

/** Saves a failure and returns its path. */
export function saveFailure(root: string, saved: SavedFailure): string {
  const path = failurePath(root, saved)
  writeFailure(path, saved)
  return path
}

/** Writes a failure at a path; the file is always whole. */
export function writeFailure(path: string, saved: SavedFailure): void {
  const { choices, found, input, ...rest } = saved
  const serial = {
    format: FORMAT,
    version: FAILURE_VERSION,
    ...rest,
    found: { ...found, name: found.name === undefined ? null : formatName(found.name), example: found.example ?? null },
    input: input ?? null,
    tape: encodeChoices(essential(choices)),
  }
  removeLeftovers(dirname(path), '.json.', '.tmp')
  writeAtomically(path, `${JSON.stringify(serial, null, 1)}\n`)
}

/**
 * Reads a saved failure.
 *
 * @throws FailureFileError if the file is not one
 */
export function readFailure(path: string): SavedFailure {
  const refuse = (message: string): never => {
    throw new FailureFileError(path, message)
  }
  const text = readText(path, refuse)
  let serial: unknown
  try {
    serial = JSON.parse(text)
  } catch (error) {
    return refuse(`not JSON, or truncated (${jsonFault(error)})`)
  }
  const object = record(serial, 'the file', refuse)
  if (object.format !== FORMAT) refuse('not a failure saved by norn')
  if (object.version !== FAILURE_VERSION) {
    refuse(`unsupported version ${JSON.stringify(object.version)}; this norn reads version ${FAILURE_VERSION}`)
  }
  const string = (holder: Record<string, unknown>, key: string): string => {
    const value = holder[key]
    return typeof value === 'string' ? value : refuse(`"${key}" is not a string`)
  }
  const number = (holder: Record<string, unknown>, key: string): number => {
    const value = holder[key]
    return Number.isSafeInteger(value) && (value as number) >= 0
      ? (value as number)
      : refuse(`"${key}" is not a non-negative integer`)
  }
  const file = string(object, 'file')
  if (file === '' || leadsOut(file)) refuse(`"file" is outside the project: ${JSON.stringify(file)}`)
  const failure = record(object.failure, '"failure"', refuse)
  const found = record(object.found, '"found"', refuse)
  // An older norn may have saved another fingerprint of the same failure.
  string(object, 'identity')
  const environment = record(object.environment, '"environment"', refuse)
  try {
    const report = {
      kind: parseFailureKind(failure.kind, refuse),
      errorName: string(failure, 'errorName'),
      message: string(failure, 'message'),
      stack: string(failure, 'stack'),
      frames: parseFrames(failure.frames, refuse),
    }
    return {
      property: string(object, 'property'),
      file,
      identity: fingerprint(report),
      failure: report,
      input: object.input === null ? undefined : parseInput(object.input, refuse),
      inputText: string(object, 'inputText'),
      choices: decodeChoices(object.tape),
      traceHash: string(object, 'traceHash'),
      aliases: parseAliases(object.aliases, refuse),
      ...(object.open === undefined ? {} : { open: parseOpen(object.open, refuse) }),
      ...readExecutionOptions(object, refuse),
      found: {
        seed: number(found, 'seed'),
        execution: number(found, 'execution'),
        strategy: string(found, 'strategy'),
        name: found.name === null ? undefined : parseName(string(found, 'name')),
        example: found.example === null || found.example === undefined ? undefined : number(found, 'example'),
      },
      shrunk: object.shrunk === true,
      environment: {
        node: string(environment, 'node'),
        norn: string(environment, 'norn'),
        commit: typeof environment.commit === 'string' ? environment.commit : undefined,
        variables: environment.variables === undefined ? undefined : parseSurroundings(environment.variables),
      },
    }
  } catch (error) {
    if (error instanceof FailureFileError) throw error
    return refuse((error as Error).message)
  }
}

/**
 * The project's root, derived from the path of a failure; the working directory if the file was
 * moved elsewhere.
 */
export function rootOf(path: string): string {
  const folder = dirname(resolve(path))
  const tail = sep + FAILURES_FOLDER
  return folder.endsWith(tail) ? folder.slice(0, -tail.length) : process.cwd()
}

/** Whether a path relative to the root may be outside it. */
export function leadsOut(path: string): boolean {
  return isAbsolute(path) || /^[A-Za-z]:/.test(path) || path.split(/[\\/]/).includes('..')
}

type Refuse = (message: string) => never

function readText(path: string, refuse: Refuse): string {
  try {
    // First, because opening a pipe blocks until somebody writes, and a device may be endless.
    const status = statSync(path, { throwIfNoEntry: false }) ?? refuse('no such file')
    const { size } = status
    if (!status.isFile()) refuse(`cannot be read (${status.isDirectory() ? 'it is a folder' : 'not a regular file'})`)
    if (size > MAX_BYTES) refuse(`${size} bytes; the maximum is ${MAX_BYTES}`)
    return textOf(readFileSync(path), refuse)
  } catch (error) {
    if (error instanceof FailureFileError) throw error
    return refuse(`cannot be read (${(error as Error).message})`)
  }
}

/** The text of a file; an editor may have put a byte order mark before it. */
function textOf(bytes: Buffer, refuse: Refuse): string {
  if (bytes[0] === 0xfe || bytes[0] === 0xff) refuse('encoded in UTF-16; save it as UTF-8')
  const text = bytes.toString('utf8')
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

function record(value: unknown, what: string, refuse: Refuse): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(`${what} is not an object`)
  return value as Record<string, unknown>
}

function parseInput(value: unknown, refuse: Refuse): SavedInput {
  const { values, draws, example } = record(value, '"input"', refuse)
  if (typeof values !== 'string' || !Array.isArray(draws)) return refuse('"input" is not { values, draws }')
  const parsed = draws.map((draw: unknown) => {
    const { label, value, example } = record(draw, 'a draw of "input"', refuse)
    if (typeof label !== 'string' || typeof value !== 'string')
      return refuse('a draw of "input" is not { label, value }')
    return { label, value, ...parseMark(example) }
  })
  const input = { values, draws: parsed, ...parseMark(example) }
  loadInput(input)
  return input
}

function parseMark(example: unknown): FromExample {
  return example === true ? { example } : {}
}

function parseFailureKind(value: unknown, refuse: Refuse): FailureKind {
  return (
    FAILURE_KINDS.find((kind) => kind === value) ??
    refuse(`"kind" is not a kind of failure: ${JSON.stringify(value)} (one of ${FAILURE_KINDS.join(', ')})`)
  )
}

function parseFrames(value: unknown, refuse: Refuse): Frame[] {
  if (!Array.isArray(value)) return refuse('"frames" is not an array')
  return value.map((item: unknown) => {
    const { file, line, column, functionName } = record(item, 'a frame', refuse)
    const isFrame = typeof file === 'string' && typeof functionName === 'string'
    if (!isFrame || typeof line !== 'number' || typeof column !== 'number')
      return refuse('a frame is not { file, line, column, functionName }')
    return { file, line, column, functionName }
  })
}

function parseOpen(value: unknown, refuse: Refuse): string[] {
  const isValid = Array.isArray(value) && value.every((name) => typeof name === 'string')
  return isValid ? value : refuse('"open" is not an array of addresses')
}

function parseAliases(value: unknown, refuse: Refuse): [string, string][] {
  if (!Array.isArray(value)) return refuse('"aliases" is not an array')
  return value.map((pair: unknown) => {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string' || typeof pair[1] !== 'string') {
      return refuse('an alias is not a pair of strings')
    }
    return [pair[0], pair[1]]
  })
}
