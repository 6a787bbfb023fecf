/**
 * Files of key frames: JSON, written by hand or proposed by norn, a file each.
 *
 *     { "name": "a leader comes back", "cluster": "one leader a term",
 *       "frames": [ { "name": "a leads", "where": { "nodes.a.state.role": "leader" } }, … ] }
 *
 * `cluster` names the cluster that they are of, and may be left out where there is one; `about` is
 * for people. Everything is parsed and refused here, so that whoever gets key frames can rely on
 * them.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyFramesData } from '../../contract/key-frames.ts'
import { ConditionError } from './condition.ts'
import { compileFrames, type KeyFrames, MAX_FRAMES } from './key-frames.ts'

/** What is wrong with a file of key frames, in one line for a person. */
export class FramesFileError extends Error {
  constructor(path: string, message: string) {
    super(`${path}: ${message}`)
    this.name = 'FramesFileError'
  }
}

/** Files of a folder, and bytes of a file, at most. */
const [MAX_FILES, MAX_BYTES] = [1000, 1024 * 1024]

/**
 * The key frames of a folder, in the order of the names of its files (`*.json`). @throws
 * FramesFileError
 */
export function readFramesFolder(folder: string): readonly KeyFramesData[] {
  let names: string[]
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such folder' : code === 'ENOTDIR' ? 'it is no folder' : String(code)
    throw new FramesFileError(folder, why)
  }
  if (names.length === 0) throw new FramesFileError(folder, 'it holds no files of key frames (*.json)')
  if (names.length > MAX_FILES) throw new FramesFileError(folder, `it holds more than ${MAX_FILES} files`)
  const all = names.sort().map((name) => readFramesFile(join(folder, name)))
  const twice = all.find(({ name }, at) => all.findIndex((other) => other.name === name) < at)
  if (twice !== undefined) throw new FramesFileError(folder, `two of its files are called "${twice.name}" inside`)
  return all
}

/** @throws FramesFileError */
function readFramesFile(path: string): KeyFramesData {
  let text: string
  try {
    const { size } = statSync(path)
    if (size > MAX_BYTES) throw new FramesFileError(path, 'it is too large for key frames')
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof FramesFileError) throw error
    throw new FramesFileError(path, `it cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  return parseFramesFile(path, text)
}

/** The key frames of a file, ready to be watched. @throws FramesFileError */
export function loadFrames(path: string): KeyFrames {
  return compileFrames(readFramesFile(path))
}

/** @param path for errors */
export function parseFramesFile(path: string, text: string): KeyFramesData {
  const refuse = (why: string): never => {
    throw new FramesFileError(path, why)
  }
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    return refuse(`this is not JSON (${(error as Error).message})`)
  }
  const file = object(value, 'the file', refuse)
  only(file, ['name', 'about', 'cluster', 'frames'], 'the file', refuse)
  const { name, cluster, frames } = file
  if (typeof name !== 'string' || name === '') return refuse('"name" is to be a text that is not empty')
  if (cluster !== undefined && typeof cluster !== 'string') return refuse('"cluster" is to be the name of a cluster')
  if (!Array.isArray(frames) || frames.length === 0 || frames.length > MAX_FRAMES)
    return refuse(`"frames" is to be a list of 1 to ${MAX_FRAMES} frames`)
  const parsed = frames.map((given: unknown, index) => {
    const frame = object(given, `frames[${index}]`, refuse)
    only(frame, ['name', 'about', 'where'], `frames[${index}]`, refuse)
    const { name = `frame ${index + 1}`, where } = frame
    if (typeof name !== 'string' || name === '') return refuse(`frames[${index}].name is to be a text`)
    return { name, where }
  })
  const data: KeyFramesData = { name, ...(cluster === undefined ? {} : { cluster }), frames: parsed }
  try {
    compileFrames(data)
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    refuse(error.message)
  }
  return data
}

type Refuse = (why: string) => never

function object(value: unknown, what: string, refuse: Refuse): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  return refuse(`${what} is to be an object`)
}

function only(holder: object, known: readonly string[], what: string, refuse: Refuse): void {
  const unknown = Object.keys(holder).find((key) => !known.includes(key))
  if (unknown !== undefined)
    refuse(`${what} has "${unknown}"; it may have ${known.map((key) => `"${key}"`).join(', ')}`)
}
