/**
 * Checks the structure of the tree: the order of rooms, cycles, unused exports, decisions by text,
 * readers of options, variables of modules, long lines, focused tests, subjects of commits.
 *
 * `node scripts/check-tidiness.ts [FOLDER]` prints each broken rule with its reason, and exits 1 if
 * there is one.
 */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { longSubjects, MAX_SUBJECT } from './tidiness/commits.ts'
import { brokenCycles } from './tidiness/cycles.ts'
import { decisionsByText } from './tidiness/decisions.ts'
import { decisionsByKind, strayFolders } from './tidiness/domains.ts'
import { brokenLayers, ROOMS } from './tidiness/layers.ts'
import { namesOfUnderscores } from './tidiness/names.ts'
import { scatteredOptions } from './tidiness/options.ts'
import { type Problem, readSources } from './tidiness/sources.ts'
import { variablesOfModules } from './tidiness/state.ts'
import { focusedTests, limitedTests, longLines, MAX_LINE } from './tidiness/text.ts'
import { unusedExports } from './tidiness/unused.ts'
import { strayEvents, strayVerdicts } from './tidiness/verdicts.ts'

const root = resolve(process.argv[2] ?? process.cwd())
const packages = readdirSync(resolve(root, 'packages'))
const sources = readSources(
  root,
  packages.map((name) => `packages/${name}/src`),
)
const everything = readSources(root, ['packages', 'bench', 'examples', 'systems', 'scripts', 'test'])
if (sources.length === 0) throw new Error(`no sources below ${root}`)
const subjects = longSubjects(root)
if (subjects === undefined) console.log('subjects of commits are not checked: the history is missing')

const RULES: readonly { readonly rule: string; readonly reason: string; readonly problems: readonly Problem[] }[] = [
  {
    rule: 'order of rooms',
    reason: `A part uses only what stands below it, so that it can be read, tested and replaced without the parts above. From the bottom: ${ROOMS.join(', ')}. Hand the lower part a value or a function instead of the import.`,
    problems: brokenLayers(sources),
  },
  {
    rule: 'no decisions by kind',
    reason:
      'Only the rooms of clusters know that there are clusters. Add what differs to the kinds of domains/kinds.ts, or to the `Domain`.',
    problems: decisionsByKind(sources),
  },
  {
    rule: 'no stray folders',
    reason: 'A folder that shares no import with its room is in the wrong one. Move it, or give it a room of its own.',
    problems: strayFolders(sources),
  },
  {
    rule: 'no import cycles',
    reason:
      'Files that import each other can only be understood together. Move what both need into a file of its own, or pass it as a parameter.',
    problems: brokenCycles(sources),
  },
  {
    rule: 'no unused exports',
    reason:
      'An export promises that somebody else uses it. Drop the keyword, or the code if nothing in its file uses it either.',
    problems: unusedExports(root),
  },
  {
    rule: 'no decisions by text',
    reason:
      'Messages and labels are for people: whoever rewords one must not change what the program does. Read a field, a kind, a code or a class instead. If only the text tells (V8, a dependency), read it in one function that says why, in a file that scripts/tidiness/decisions.ts lists.',
    problems: decisionsByText(sources),
  },
  {
    rule: 'one union of events',
    reason:
      'What happens in a session is declared in contract/events.ts. A layer that knows more adds it to the record, or says where the event is from; another union would have to be mapped at each layer.',
    problems: strayEvents(sources),
  },
  {
    rule: 'one verdict',
    reason:
      'What an outcome is called, and why a search is not a pass, stands in contract/verdict.ts. Ask VERDICTS, verdictOfResult or doubtsOf; of an execution read `voided`.',
    problems: strayVerdicts(sources),
  },
  {
    rule: 'an option is read in one file',
    reason:
      'An option is a row of its table and the code that uses its value. Pass the whole record on to that code (`processOptions`, `chosenOf`), and let what else depends on the value ask there. scripts/tidiness/options.ts lists those with several readers, each with the reason; the list only shrinks.',
    problems: scatteredOptions(sources),
  },
  {
    rule: 'no new variables of modules',
    reason:
      'A variable of a module lives as long as the process, so executions, tests and workers share it, and no parameter shows it. Keep the state in a value that its users pass on. scripts/tidiness/state.ts lists those that exist; the list only shrinks.',
    problems: variablesOfModules(sources),
  },
  {
    rule: 'no names of underscores',
    reason:
      'Beside `_`, `__` and `___` have to be counted. Name a parameter that is not used (`_count`), and keep the names of fields that are left out of a rest.',
    problems: namesOfUnderscores(sources),
  },
  {
    rule: `subjects of commits of at most ${MAX_SUBJECT} letters`,
    reason: 'Lists of commits cut longer ones. Say what the commit does, and why in the body.',
    problems: subjects ?? [],
  },
  {
    rule: `lines of at most ${MAX_LINE} characters`,
    reason: 'Longer lines, comments included, wrap in reviews and side-by-side diffs. Break the line, or say less.',
    problems: longLines(everything),
  },
  {
    rule: 'no focused tests',
    reason: '`.only` skips every other test of its file without a word. Remove it.',
    problems: focusedTests(everything),
  },
  {
    rule: 'no time limits on tests',
    reason:
      'On a busy machine a test that is right takes many times as long. vitest.config.ts has the one limit, which ends what hangs. Remove the number; where a test needs a hang, give it a clock.',
    problems: limitedTests(everything),
  },
]

for (const { rule, reason, problems } of RULES) {
  if (problems.length === 0) continue
  for (const { where, what } of problems) console.error(`${where}: ${what}`)
  console.error(`rule broken, ${problems.length} times: ${rule}. ${reason}\n`)
  process.exitCode = 1
}
if (process.exitCode === undefined) console.log(`${RULES.length} rules hold for ${everything.length} files`)
