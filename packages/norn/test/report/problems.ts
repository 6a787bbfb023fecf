/** Problems with names and messages that try to break the formats they are written in. */
import type { Problem } from '../../src/report/problem.ts'

/** The first and last controls, the end of CDATA, markup, a lone surrogate, a non-character. */
export const HOSTILE = '\u0000\u0008\u001b[31m\u0085 ]]> <a b="c">&amp; \'%0A 100% ::error::\r\n, \ud800 \uffff'

export const PROBLEM: Problem = {
  property: 'deposits are kept',
  rule: 'error',
  headline: '3 !== 5',
  remarks: ['found in execution 2', 'replay: npx norn replay a.json'],
  text: 'the whole report\n  in two lines',
  place: { path: 'test/account.fuzz.ts', line: 9, column: 3 },
  fingerprint: 'error|…',
}

export const UNDECIDED: Problem = {
  property: 'waits',
  rule: 'inconclusive',
  headline: 'uncontrolled: a device',
  remarks: [],
  text: 'uncontrolled: a device',
  place: { path: 'test/account.fuzz.ts', line: 1 },
}

export const HOSTILE_PROBLEM: Problem = {
  ...PROBLEM,
  property: HOSTILE,
  headline: HOSTILE,
  remarks: [HOSTILE],
  text: HOSTILE,
  place: { path: `a:b,c%/${HOSTILE}`, line: 1 },
}
