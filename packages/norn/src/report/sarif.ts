/**
 * Problems as SARIF 2.1.0, the format of code scanning: a rule for each kind of failure, an error
 * for each failure, a warning for what is inconclusive.
 */
import type { Log, ReportingDescriptor, Result } from 'sarif'
import { visibleJson } from '#shared/printable'
import { shortHash } from '../contract/fingerprint.ts'
import { VERDICTS, verdictOfRule } from '../contract/verdict.ts'
import { text } from '../options/kinds.ts'
import { flag } from '../options/option.ts'
import { version } from '../session/version.ts'
import type { ResultFormat } from './outcome.ts'
import type { Problem } from './problem.ts'

export const SARIF: ResultFormat = {
  ...flag(text, '--sarif <file>', 'write failures and inconclusive properties to this file, as SARIF 2.1.0', {
    meaning: 'write failures and inconclusive properties to this file, as [SARIF 2.1.0](ci.md#junit-xml-and-sarif)',
  }),
  textOf: ({ outcomes, isComplete }) =>
    sarifText(
      outcomes.flatMap(({ problems }) => problems),
      version(),
      isComplete,
    ),
}

const RULES: Readonly<Record<Problem['rule'], string>> = {
  error: 'The body of a property threw an error: an assertion, usually.',
  'uncaught exception': 'The program threw an exception that nothing caught.',
  'unhandled rejection': 'A promise was rejected, and nothing handled it.',
  deadlock: 'The body of a property never settled, and nothing was left to run.',
  'no progress': 'An execution reached a bound on steps, virtual time or output.',
  exit: 'The program called process.exit.',
  abort: 'The program called process.abort.',
  loading: 'The modules of the program could not be loaded.',
  liveness: 'A cluster violated a liveness property.',
  hang: 'An execution did not return to the event loop.',
  'out of memory': 'An execution reached the memory limit.',
  crash: 'An execution ended its process.',
  flaky: 'A test passes under the default schedule, and fails under another one that Node could take.',
  inconclusive: 'Neither a pass nor a failure can be concluded.',
}

const IDS = Object.keys(RULES)

/** @param complete whether the call ran all its properties */
export function sarifText(problems: readonly Problem[], version: string, complete: boolean): string {
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'norn', semanticVersion: version, rules: Object.entries(RULES).map(ruleOf) } },
        invocations: [{ executionSuccessful: complete }],
        columnKind: 'utf16CodeUnits',
        results: problems.map(resultOf),
      },
    ],
  }
  return `${visibleJson(log, 2)}\n`
}

const idOf = (rule: string) => rule.replaceAll(' ', '-')

function ruleOf([rule, text]: [string, string]): ReportingDescriptor {
  const { level } = VERDICTS[verdictOfRule(rule)]
  const description = { shortDescription: { text }, fullDescription: { text } }
  const help = { text: `${text} Run the commands of the result to replay it.` }
  return { id: idOf(rule), ...description, help, defaultConfiguration: { level } }
}

function resultOf({ property, rule, headline, remarks, place, fingerprint }: Problem): Result {
  const { path, line, column } = place
  const region = { startLine: line, ...(column === undefined ? {} : { startColumn: column }) }
  return {
    ruleId: idOf(rule),
    ruleIndex: IDS.indexOf(rule),
    level: VERDICTS[verdictOfRule(rule)].level,
    message: { text: [`${property}: ${headline}`, ...remarks].join('\n') },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(path) }, region } }],
    partialFingerprints: { 'norn/v1': shortHash(JSON.stringify([property, fingerprint ?? headline])) },
  }
}

/** A relative reference, so that readers resolve it against the repository. */
function uriOf(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/')
}
