/** A saved failure, and what its replay did, as a report page shows them. */

import type { ClusterRecord } from '../../contract/cluster-record.ts'
import type { ExecutionResult, FailureReport } from '../../contract/execution.ts'
import { placesOf } from '../../contract/execution.ts'
import type { Explanation, PassingCluster } from '../../contract/explanation.ts'
import type { SavedFailure } from '../../contract/saved-failure.ts'
import { cut } from '../../contract/text.ts'
import { formatName } from '../../tape/name.ts'
import { departuresTitle } from '../departures.ts'
import { inOneLine } from '../diagram/space-time.ts'
import { scheduleTitle } from '../failure.ts'
import { commandFor } from '../invocation.ts'
import { replayPurpose } from '../locals.ts'
import { nearestText } from '../nearest.ts'
import { waitsText, waitsTitle } from '../pending-waits.ts'
import { printableLine, printableLines } from '../printable.ts'
import { sentenceOf } from '../sentence.ts'
import { PLAIN } from '../style.ts'
import { clusterExecution } from './cluster-execution.ts'
import type { Failure, Replay } from './data.ts'
import { type Drawn, programExecution } from './program-execution.ts'
import type { SourceTexts } from './source-texts.ts'

const MAX_TEXT = 20_000
const MAX_COMMIT = 12
const MAX_HEADLINE = 240
const MAX_KIND = 60

const PASSES = 'The replay passes, so there is no failing execution to compare.'

/** A saved failure, and its replay for a report. */
export interface Reported {
  /** Path of the file, relative to the root. */
  readonly path: string
  readonly saved: SavedFailure
  readonly replay: Replay
  /** What the replay did, in a sentence. */
  readonly replayed: string
  /** Missing if it was not replayed. */
  readonly result?: ExecutionResult | undefined
  readonly explanation?: Explanation | undefined
  /** The nearest passing execution of a cluster. */
  readonly passing?: PassingCluster | undefined
}

export function failureData({ path, saved, replay, replayed, ...run }: Reported, sources: SourceTexts): Failure {
  const { result, explanation, passing } = run
  // What fails now is what the steps lead to; a failure that passes is told as it was saved.
  const failure = result?.failure ?? saved.failure
  const headline = headlineOf(failure)
  const { inputText = saved.inputText } = result ?? {}
  return {
    path,
    property: printableLine(saved.property),
    file: saved.file,
    isCluster: result?.cluster !== undefined,
    replay,
    replayed: printableLine(replayed),
    kind: printableLine(failure.kind === 'error' ? failure.errorName : failure.kind, MAX_KIND),
    headline,
    error: errorText(failure),
    places: placesOf(failure).map((frame) =>
      failure === saved.failure ? sources.mention(frame) : sources.placeOf(frame),
    ),
    ...(failure.waits === undefined
      ? {}
      : { waits: [waitsTitle(failure), bounded(waitsText(failure).join('\n'))] as const }),
    inputTitle: saved.shrunk ? 'Smallest input' : 'Input',
    input: bounded(inputText),
    facts: factsOf(path, saved),
    ...(result === undefined ? {} : drawn(result, { explanation, passing }, headline, sources)),
    ...(result?.output ? { output: bounded(printableLines(result.output).join('\n')) } : {}),
    commands: [
      [commandFor('replay', path), replayPurpose(failure)],
      [commandFor('replay', path, '--inspect'), 'replay in the debugger'],
    ],
  }
}

function drawn(
  result: ExecutionResult,
  { explanation, passing }: Pick<Reported, 'explanation' | 'passing'>,
  headline: string,
  sources: SourceTexts,
): Partial<Failure> {
  if (result.cluster !== undefined) return drawnCluster(result, result.cluster, passing, headline, sources)
  if (explanation === undefined || result.choices === undefined) return {}
  const { inputText = '' } = result
  const { schedule } = result.choices
  const nearest = explanation.nearest && nearestText({ ...explanation, inputText }, explanation.nearest, PLAIN)
  const sentence = sentenceOf(explanation)
  const input = { ...explanation, schedule, difference: nearest?.difference }
  const { execution, rowOf } = programExecution(input, result, headline, sources)
  return {
    execution,
    schedule: scheduleTitle(result),
    ...(sentence === undefined ? {} : { sentence }),
    ...(nearest === undefined || explanation.nearest === undefined
      ? {
          noPassing:
            result.failure === undefined ? PASSES : 'Norn found no passing execution that differs by one choice.',
        }
      : { passing: passingProgram(explanation.nearest, nearest, rowOf, sources) }),
  }
}

function passingProgram(
  passing: NonNullable<Explanation['nearest']>,
  { difference: { parting }, change }: NonNullable<ReturnType<typeof nearestText>>,
  rowOf: Drawn['rowOf'],
  sources: SourceTexts,
): NonNullable<Failure['passing']> {
  const { execution, rowOf: passingRowOf } = programExecution(passing, {}, '', sources)
  return {
    change: change.map((line) => printableLine(line)),
    execution,
    parting: [rowOf(parting), passingRowOf(parting)],
  }
}

function drawnCluster(
  result: ExecutionResult,
  cluster: ClusterRecord,
  passing: PassingCluster | undefined,
  headline: string,
  sources: SourceTexts,
): Partial<Failure> {
  const { execution, rowOf } = clusterExecution(cluster, result, headline, sources)
  const drawn = { execution, schedule: departuresTitle(cluster) }
  if (passing === undefined) return { ...drawn, noPassing: noPassingCluster(result, cluster) }
  const { dropped, record, parting } = passing
  const other = clusterExecution(record, {}, '', sources)
  const change = [`without step ${dropped.step}: ${printableLine(dropped.text)}`]
  return {
    ...drawn,
    passing: { change, execution: other.execution, parting: [rowOf(parting), other.rowOf(parting)] },
  }
}

function noPassingCluster({ failure }: ExecutionResult, { steps }: ClusterRecord): string {
  if (failure === undefined) return PASSES
  return steps.length === 0
    ? 'It fails under the default schedule, so there is no departure to drop for a passing execution.'
    : 'Norn found no passing execution that lacks one of the departures.'
}

/** A message that ends in a colon says the rest below. */
function headlineOf(failure: FailureReport): string {
  const first = inOneLine(failure)
  const whole = failure.message.split('\n').map((line) => line.trim())
  const isContinued = whole[0]?.endsWith(':') ?? false
  return cut(printableLine(isContinued ? whole.filter((line) => line !== '').join(' ') : first), MAX_HEADLINE)
}

function errorText({ stack, kind, message }: FailureReport): string {
  const text = printableLines((stack || message).trimEnd()).join('\n')
  return bounded(kind === 'error' ? text : `${kind}: ${text}`)
}

function factsOf(path: string, { found, shrunk, environment, ...saved }: SavedFailure): [string, string][] {
  const { seed, execution, strategy, name, example } = found
  const { node, norn, commit } = environment
  return [
    [
      'Found in',
      `execution ${execution} by ${strategy}, seed ${seed}${example === undefined ? '' : `, example ${example + 1}`}`,
    ],
    ['Shrunk', shrunk ? 'yes' : 'no'],
    ...(name === undefined ? [] : [['Execution', formatName(name)] as [string, string]]),
    [
      'Found with',
      `norn ${norn}, Node ${node}${commit === undefined ? '' : `, commit ${commit.slice(0, MAX_COMMIT)}`}`,
    ],
    ...(saved.open === undefined ? [] : [['Open addresses', saved.open.join(', ')] as [string, string]]),
    ...(saved.aliases.length === 0
      ? []
      : [['Aliases', saved.aliases.map(([from, to]) => `${from}=${to}`).join(', ')] as [string, string]]),
    ['File', path],
  ].map(([title, text]) => [title!, printableLine(text!)])
}

function bounded(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (${text.length - MAX_TEXT} more characters)`
}
