/**
 * Natives of IOUtils. A failing file operation returns `[exitValue |-> 1, stderr |-> ...]`, as in
 * TLC. Norn runs no programs and does not read TLC's binary format of values.
 */
import { TlaError } from '../../error/error.ts'
import type { Arena } from '../../values/arena.ts'
import { apply } from '../../values/functions.ts'
import { refusal } from '../../values/refuse.ts'
import type { Value } from '../../values/value.ts'
import { evaluated } from '../evaluated.ts'
import { readText, reason } from '../files.ts'
import { impure, type Native, type NativeTable, plain, pure } from '../native.ts'
import { sequence, text, wrongOperand } from '../operands.ts'
import type { Encoding, Files } from '../platform.ts'
import type { Surroundings } from '../surroundings.ts'
import { toJson } from './json.ts'
import { LARGEST, SMALLEST } from './numbers.ts'

const ENCODINGS: Readonly<Record<string, Encoding>> = {
  'UTF-8': 'utf8',
  UTF8: 'utf8',
  'US-ASCII': 'ascii',
  'ISO-8859-1': 'latin1',
  'UTF-16LE': 'utf16le',
}

function outcome(arena: Arena, exitValue: number, stdout: string, stderr: string): Value {
  const shape = arena.shape(['exitValue', 'stdout', 'stderr'])
  const fields: Record<string, Value> = { exitValue, stdout: arena.string(stdout), stderr: arena.string(stderr) }
  return arena.record(
    shape,
    shape.names.map((name) => fields[name] as number),
  )
}

/** The result of a file operation as a record. */
function attempt(arena: Arena, act: () => string): Value {
  try {
    return outcome(arena, 0, act(), '')
  } catch (error) {
    return outcome(arena, 1, '', error instanceof TlaError ? error.message : reason(error))
  }
}

function option(arena: Arena, options: Value, name: string, operator: string): string {
  return text(apply(options, arena.string(name)), 'third', operator)
}

function encoding(arena: Arena, options: Value, operator: string): Encoding {
  const charset = option(arena, options, 'charset', operator)
  const known = ENCODINGS[charset.toUpperCase()]
  if (known === undefined) throw refusal(`unknown charset ${charset}: use one of ${Object.keys(ENCODINGS).join(', ')}`)
  return known
}

/**
 * The mode of a file for Java's options: without APPEND or TRUNCATE_EXISTING an existing file is
 * overwritten in place.
 */
function modeOf(files: Files, path: string, options: ReadonlySet<string>): Parameters<Files['write']>[2] {
  if (options.has('CREATE_NEW')) return 'wx'
  const exists = files.exists(path)
  if (!exists && !options.has('CREATE')) throw refusal('the file does not exist: add CREATE to its openOptions')
  if (options.has('APPEND')) return 'a'
  return exists && !options.has('TRUNCATE_EXISTING') ? 'r+' : 'w'
}

function serialize({ arena, platform: { files } }: Surroundings, value: Value, path: Value, options: Value): Value {
  // An element that fails is an error of the specification, not of the file.
  const whole = evaluated(value)
  return attempt(arena, () => {
    const format = option(arena, options, 'format', 'Serialize')
    const file = text(path, 'second', 'Serialize')
    const open = sequence(apply(options, arena.string('openOptions')), 'third', 'Serialize')
    const mode = modeOf(files, file, new Set(open.map((each) => text(each, 'third', 'Serialize'))))
    files.write(file, contents(whole, format), mode, encoding(arena, options, 'Serialize'))
    return `written: ${file}`
  })
}

function contents(value: Value, format: string): string {
  if (format === 'TXT') return text(value, 'first', 'Serialize')
  if (format === 'NDJSON')
    return sequence(value, 'first', 'Serialize')
      .map((each) => `${toJson(each)}\n`)
      .join('')
  throw refusal(`the format ${format} is neither TXT nor NDJSON`)
}

function deserialize({ arena, platform }: Surroundings, path: Value, options: Value): Value {
  return attempt(arena, () => {
    const format = option(arena, options, 'format', 'Deserialize')
    if (format !== 'TXT') throw refusal(`the format ${format} is not TXT`)
    return readText(platform.files, text(path, 'first', 'Deserialize'), encoding(arena, options, 'Deserialize'))
  })
}

function refusedProgram(operator: string): Native {
  return impure(() => () => {
    throw refusal(
      `${operator} is not supported, as norn runs no programs: run it first, and read its output from a file`,
    )
  })
}

function refusedForm(operator: string): Native {
  return impure(() => () => {
    throw refusal(`${operator} is not supported, as it uses TLC's binary format of values: use the module Json`)
  })
}

export const IO_UTILS: NativeTable = {
  IOSerialize: refusedForm('IOSerialize'),
  IODeserialize: refusedForm('IODeserialize'),
  Serialize: impure(
    (surroundings) => (value: Value, path: Value, options: Value) => serialize(surroundings, value, path, options),
  ),
  Deserialize: impure((surroundings) => (path: Value, options: Value) => deserialize(surroundings, path, options)),
  IOExec: refusedProgram('IOExec'),
  IOEnvExec: refusedProgram('IOEnvExec'),
  IOExecTemplate: refusedProgram('IOExecTemplate'),
  IOEnvExecTemplate: refusedProgram('IOEnvExecTemplate'),
  IOEnv: pure(({ arena, platform: { environment } }) => () => {
    const shape = arena.shape(Object.keys(environment).filter((name) => environment[name] !== undefined))
    if (shape.names.length === 0) return arena.emptyTuple
    return arena.record(
      shape,
      shape.names.map((name) => arena.string(environment[name]!)),
    )
  }),
  atoi: plain((value: Value) => {
    const written = text(value, 'only', 'atoi')
    const number = /^[+-]?\d+$/.test(written) ? Number(written) : Number.NaN
    if (!(number >= SMALLEST && number <= LARGEST)) {
      throw wrongOperand('only', 'atoi', 'the digits of a 32-bit integer', value)
    }
    return number + 0
  }),
}
