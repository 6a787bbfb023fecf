/** `validate SPEC --trace FILE`: checks whether a log is a behaviour of a specification. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ExitStatus, STATUS, UsageError } from '#shared/cli/exit-status'
import { print } from '#shared/print'
import { TraceFileError } from '../follow/trace-file.ts'
import { type LogMap, logMap, NO_MAP } from '../validate/log-map.ts'
import { type Verdict, validateTrace } from '../validate/validate-trace.ts'
import { isFile } from './inputs.ts'
import { entriesOf, machineOf, refusing, shownFile, type TraceOptions } from './trace-inputs.ts'

export interface ValidateCommandOptions extends TraceOptions {
  /** The path of the module of a mapper. */
  readonly map?: string
  /** Names of actions, beside those of the mapper's settings. */
  readonly silent: readonly string[]
  readonly silentSteps?: number
  readonly width: number
  readonly depthFirst: boolean
}

const STATUSES: Readonly<Record<Verdict, ExitStatus>> = {
  behaviour: STATUS.passed,
  divergence: STATUS.failed,
  'broken invariant': STATUS.failed,
  undecided: STATUS.undecided,
}

export function validateCommand(named: string, options: ValidateCommandOptions): Promise<ExitStatus> {
  const { trace, json, width, depthFirst } = options
  return refusing(json, async () => {
    const map = withSilent(options.map === undefined ? NO_MAP : await readMapper(options.map), options)
    const entries = entriesOf(trace)
    const { machine, specification } = machineOf(named, options)
    const result = validateTrace(machine, entries, {
      specification,
      path: shownFile(trace),
      map,
      mapPath: options.map ?? 'the options',
      width,
      depthFirst,
    })
    print(json ? JSON.stringify({ type: 'end', ...result.json }) : result.text.join('\n'))
    return STATUSES[result.verdict]
  })
}

/** @throws UsageError, TraceFileError */
async function readMapper(path: string): Promise<LogMap> {
  if (!isFile(path)) throw new UsageError(`no such file: ${path}`)
  if (path.endsWith('.json')) throw new UsageError(`${path}: a mapper is a TypeScript or JavaScript module, not JSON`)
  let exports: { readonly default?: unknown; readonly settings?: unknown }
  try {
    exports = await import(pathToFileURL(resolve(path)).href)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const problem =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? 'this Node does not load TypeScript: use Node 22.18 or later, or write the mapper in JavaScript'
        : `cannot load it: ${message}`
    throw new TraceFileError(path, undefined, problem)
  }
  const { default: mapper, settings } = exports
  if (mapper === undefined && settings === undefined) {
    throw new TraceFileError(path, undefined, 'no default export: export a function from a line to an event')
  }
  return logMap(path, mapper, settings)
}

function withSilent(map: LogMap, { silent, silentSteps }: ValidateCommandOptions): LogMap {
  const actions = [...map.silent.actions, ...silent]
  if (actions.length === 0) return map
  return { ...map, silent: { actions, atMost: silentSteps ?? Math.max(map.silent.atMost, 1) } }
}
