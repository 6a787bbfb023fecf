/**
 * One union of events and one verdict: what happens in a session, and what an outcome is called, is
 * declared in `contract` alone.
 */
import type { Problem, SourceFile } from './sources.ts'

const SOURCES = /^packages\/norn\/src\//
const CONTRACT = /^packages\/norn\/src\/contract\//
const VERDICT = 'packages/norn/src/contract/verdict.ts'

/** Unions of events that are not those of a session, each with what they are. */
const OTHERS: Readonly<Record<string, string>> = {
  'packages/norn/src/cluster/system.ts': 'what a node of a cluster is handed',
  'packages/norn/src/cluster/reducers.ts': 'what a reducer of a cluster is handed',
}

const UNION = /^(?:export )?type \w*(?:Event|Events|Notice)\b[^=]*=/
const FOUND = /\btype: 'found'(?: \||$|;| })/

/** Unions of events, and declarations of a found failure, outside of `contract`. */
export function strayEvents(files: readonly SourceFile[]): Problem[] {
  return problems(files, (path, line) => {
    if (CONTRACT.test(path) || path in OTHERS) return false
    return UNION.test(line) || (line.includes('readonly ') && FOUND.test(line))
  })
}

const NAME = "'(?:void|undecided|inconclusive)'"
const DECISIONS: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:verdict|rule|status)\)? [!=]== ${NAME}`),
  // A map from verdicts to their names.
  /\b(?:void|undecided|inconclusive): (?:STATUS\b|'(?:passed|failed|inconclusive|undecided|error|warning)')/,
  // A verdict that is chosen.
  /\? '(?:void|undecided)'|\?.* : '(?:void|undecided)'/,
]

/** Decisions on a verdict outside of its table. */
export function strayVerdicts(files: readonly SourceFile[]): Problem[] {
  return problems(files, (path, line) => path !== VERDICT && DECISIONS.some((decision) => decision.test(line)))
}

function problems(files: readonly SourceFile[], isProblem: (path: string, line: string) => boolean): Problem[] {
  return files.flatMap(({ path, lines }) => {
    if (!SOURCES.test(path)) return []
    return lines.flatMap((line, index) => {
      const isComment = /^\s*(?:\/\/|\/?\*)/.test(line)
      return isComment || !isProblem(path, line) ? [] : [{ where: `${path}:${index + 1}`, what: `\`${line.trim()}\`` }]
    })
  })
}
