/** A problem of a property as other tools read it: annotations, JUnit XML and SARIF share this form. */
import { relative, resolve } from 'node:path'
import { type FailureKind, type Frame, isOwn, placesOf } from '../contract/execution.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { VERDICTS } from '../contract/verdict.ts'
import { inOneLine } from './diagram/space-time.ts'
import { excerptOf } from './excerpt.ts'
import { type FailureText, failureText } from './failure.ts'
import { printableLine } from './printable.ts'
import { sentenceOf } from './sentence.ts'
import { PLAIN } from './style.ts'

const INCONCLUSIVE = VERDICTS.undecided.name

export interface Problem {
  /** Its name, in one line. */
  readonly property: string
  readonly rule: FailureKind | 'flaky' | typeof INCONCLUSIVE
  /** One line. */
  readonly headline: string
  /** One line each: what decides, where it was found, how to replay it. */
  readonly remarks: readonly string[]
  /** The whole report as plain text. */
  readonly text: string
  readonly place: Place
  /** Of a failure: the same for the same failure. */
  readonly fingerprint?: string
}

interface Place {
  /** Relative to the repository. */
  readonly path: string
  readonly line: number
  readonly column?: number
}

/** A property, and the folders that its paths are relative to. */
export interface Located {
  readonly root: string
  /** The folder that tools count paths from. */
  readonly repository: string
  /** The file of the property, relative to the root. */
  readonly file: string
  readonly property: string
}

/** Of lines that are laid out; logs and web pages have no other. */
const WIDTH = 100

const MAX_HEADLINE = 500

/**
 * @param failure its `excerpt` is ignored
 * @param confirmed whether it failed again in a fresh process; if not, it is inconclusive
 */
export function failureProblem(located: Located, failure: FailureText, confirmed: boolean): Problem {
  const { result, explanation, found, commands } = failure
  const sentence = explanation && sentenceOf(explanation)
  const { kind } = result.failure!
  const said = inOneLine(result.failure!)
  const headline = kind === 'error' ? said : `${kind}: ${said}`
  return {
    property: printableLine(located.property),
    rule: confirmed ? kind : INCONCLUSIVE,
    headline: printableLine(confirmed ? headline : `not reproduced: ${headline}`, MAX_HEADLINE),
    remarks: [
      ...(sentence === undefined ? [] : [sentence]),
      found,
      ...commands.map(([command, purpose]) => `${purpose}: ${command}`),
    ],
    text: failureText({ ...failure, excerpt: excerptOf(result, located.root, PLAIN) }, PLAIN, WIDTH),
    place: placeIn(located, placesOf(result.failure!)),
    fingerprint: fingerprint(result.failure!),
  }
}

/** @param text the whole report, if it says more than the headline */
export function inconclusiveProblem(
  located: Located,
  headline: string,
  frames: readonly Frame[] = [],
  text = headline,
): Problem {
  return {
    property: printableLine(located.property),
    rule: INCONCLUSIVE,
    headline: printableLine(headline, MAX_HEADLINE),
    remarks: [],
    text,
    place: placeIn(located, frames),
  }
}

/** The innermost frame of the project's own code, or the file of the property. */
function placeIn({ root, repository, file }: Located, frames: readonly Frame[]): Place {
  const frame = frames.find(isOwn)
  const path = (named: string) => relative(repository, resolve(root, named))
  return frame === undefined
    ? { path: path(file), line: 1 }
    : { path: path(frame.file), line: frame.line, column: frame.column }
}
