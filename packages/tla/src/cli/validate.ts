/** `norn tla validate SPEC --trace FILE`: whether what a log saw is a behaviour of a specification. */
import { NO_MAP, readMap, type TraceMap } from '../validate/map-file.ts'
import { type Verdict, validateTrace } from '../validate/validate-trace.ts'
import { type ExitStatus, STATUS } from './exit-status.ts'
import { entriesOf, machineOf, refusing, shownFile, type TraceOptions, textOf } from './trace-inputs.ts'

export interface ValidateOptions extends TraceOptions {
  readonly map?: string
  /** Names of actions, beside those of the map. */
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

export async function validateCommand(named: string, options: ValidateOptions): Promise<ExitStatus> {
  const { trace, json, width, depthFirst } = options
  return refusing(json, () => {
    const map = mapOf(options)
    const entries = entriesOf(trace)
    const { machine, specification } = machineOf(named, options)
    const result = validateTrace(machine, entries, {
      specification,
      path: shownFile(trace),
      map,
      mapPath: options.map === undefined ? 'the options' : shownFile(options.map),
      width,
      depthFirst,
    })
    console.log(json ? JSON.stringify({ type: 'end', ...result.json }) : result.text.join('\n'))
    return STATUSES[result.verdict]
  })
}

function mapOf({ map: path, silent, silentSteps }: ValidateOptions): TraceMap {
  const map = path === undefined ? NO_MAP : readMap(shownFile(path), textOf(path))
  const actions = [...map.silent.actions, ...silent]
  if (actions.length === 0) return map
  return { ...map, silent: { actions, atMost: silentSteps ?? Math.max(map.silent.atMost, 1) } }
}
