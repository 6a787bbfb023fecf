/**
 * Outcomes as JUnit XML: a suite for each file, a case for each property. A failed property has a
 * `failure`, an inconclusive one an `error`: it is no pass, and says nothing about the program.
 */
import { VERDICTS, verdictOfRule } from '../contract/verdict.ts'
import { text } from '../options/kinds.ts'
import { flag } from '../options/option.ts'
import type { Outcome, ResultFormat } from './outcome.ts'
import { xmlText } from './xml-text.ts'

export const JUNIT: ResultFormat = {
  ...flag(text, '--junit <file>', 'write the verdict of each property to this file, as JUnit XML', {
    meaning: 'write the verdict of each property to this file, as [JUnit XML](ci.md#junit-xml-and-sarif)',
  }),
  textOf: ({ outcomes }) => junitXml(outcomes),
}

export function junitXml(outcomes: readonly Outcome[]): string {
  const suites = Map.groupBy(outcomes, ({ file }) => file)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="norn" ${countsOf(outcomes)}>`,
    ...[...suites].flatMap(([file, cases]) => [
      `  <testsuite name="${xmlText(file)}" ${countsOf(cases)}>`,
      ...cases.flatMap(caseLines),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function caseLines({ file, property, verdict, why = '', timeMs, problems }: Outcome): string[] {
  const name = `name="${xmlText(property)}" classname="${xmlText(file)}" file="${xmlText(file)}"`
  const start = `    <testcase ${name} time="${seconds(timeMs)}"`
  if (verdict === 'passed') return [`${start}/>`]
  if (verdict === 'skipped') return [`${start}>`, `      <skipped message="${xmlText(why)}"/>`, '    </testcase>']
  // Readers expect one element: it is that of the problem that decided the verdict.
  const element = VERDICTS[verdict].junit
  const [first = problems[0]!] = problems.filter(({ rule }) => verdictOfRule(rule) === verdict)
  const text = [first, ...problems.filter((each) => each !== first)].map((each) => each.text).join('\n\n')
  return [
    `${start}>`,
    `      <${element} type="${xmlText(first.rule)}" message="${xmlText(first.headline)}">${xmlLines(text)}</${element}>`,
    '    </testcase>',
  ]
}

function xmlLines(text: string): string {
  return text
    .split('\n')
    .map((line) => xmlText(line, Number.POSITIVE_INFINITY))
    .join('\n')
}

function countsOf(outcomes: readonly Outcome[]): string {
  const count = (wanted: Outcome['verdict']) => outcomes.filter(({ verdict }) => verdict === wanted).length
  const timeMs = outcomes.reduce((sum, each) => sum + each.timeMs, 0)
  const counts = `failures="${count('failed')}" errors="${count('undecided')}" skipped="${count('skipped')}"`
  return `tests="${outcomes.length}" ${counts} time="${seconds(timeMs)}"`
}

const seconds = (ms: number) => (ms / 1000).toFixed(3)
