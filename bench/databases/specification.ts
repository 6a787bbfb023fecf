/**
 * The language of PostgreSQL's isolation specifications, as the README of its `src/test/isolation` describes it:
 * sessions with steps, and the permutations of these that run.
 */

export interface Specification {
  readonly setups: readonly string[]
  readonly teardown: string | undefined
  readonly sessions: readonly SpecifiedSession[]
  readonly permutations: readonly Permutation[]
}

interface SpecifiedSession {
  readonly name: string
  readonly setup: string | undefined
  readonly teardown: string | undefined
  readonly steps: readonly Step[]
}

interface Step {
  readonly name: string
  readonly sql: string
  /** Its index. */
  readonly session: number
}

/** A step in a permutation, and what keeps it from being reported as completed. */
export interface PermutationStep {
  readonly step: Step
  readonly blockers: readonly Blocker[]
}

type Blocker =
  /** It is reported as waiting, however fast it was. */
  | { readonly kind: 'once' }
  | { readonly kind: 'step'; readonly step: Step }
  /** The session of a step has to send so many notices first. */
  | { readonly kind: 'notices'; readonly step: Step; readonly count: number }

export type Permutation = readonly PermutationStep[]

type Token =
  | { readonly kind: 'keyword' | 'name' | 'sql' | 'sign'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }

const KEYWORDS = new Set(['notices', 'permutation', 'session', 'setup', 'step', 'teardown'])

/** Blocks of SQL lose blanks at both ends, but no newline. */
const TOKEN =
  /[ \t\r\f\n]+|#[^\n\r]*|(?<word>[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*)|"(?<quoted>(?:[^"\n]|"")*)"|\{[ \t\r\f]*(?<sql>[^}]*?)[ \t\r\f]*\}|(?<number>\d+)|(?<sign>[,()*])/y

/** @throws SyntaxError */
export function parseSpecification(text: string): Specification {
  return new Parser(tokensOf(text)).specification()
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const groups = TOKEN.exec(text)?.groups
    if (groups === undefined) throw new SyntaxError(`unexpected ${JSON.stringify(text.slice(at, at + 20))}`)
    const { word, quoted, sql, number, sign } = groups
    if (word !== undefined) tokens.push({ kind: KEYWORDS.has(word) ? 'keyword' : 'name', text: word })
    else if (quoted !== undefined) tokens.push({ kind: 'name', text: quoted.replaceAll('""', '"') })
    else if (sql !== undefined) tokens.push({ kind: 'sql', text: sql })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
  }
  return tokens
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  specification(): Specification {
    const setups: string[] = []
    for (let setup = this.#block('setup'); setup !== undefined; setup = this.#block('setup')) setups.push(setup)
    const teardown = this.#block('teardown')
    const sessions: SpecifiedSession[] = []
    while (this.#takes('keyword', 'session')) sessions.push(this.#session(sessions.length))
    const steps = new Map(sessions.flatMap((session) => session.steps.map((step) => [step.name, step])))
    const permutations: Permutation[] = []
    while (this.#takes('keyword', 'permutation')) permutations.push(this.#permutation(steps))
    if (this.#at < this.#tokens.length) this.#fail()
    return {
      setups,
      teardown,
      sessions,
      permutations: permutations.length === 0 ? interleavings(sessions.map((session) => session.steps)) : permutations,
    }
  }

  #session(session: number): SpecifiedSession {
    const name = this.#take('name')
    const setup = this.#block('setup')
    const steps: Step[] = []
    while (this.#takes('keyword', 'step')) steps.push({ name: this.#take('name'), sql: this.#take('sql'), session })
    return { name, setup, steps, teardown: this.#block('teardown') }
  }

  #permutation(steps: ReadonlyMap<string, Step>): Permutation {
    const named = () => {
      const name = this.#take('name')
      const step = steps.get(name)
      if (step === undefined) throw new SyntaxError(`there is no step ${name}`)
      return step
    }
    const blocker = (): Blocker => {
      if (this.#takes('sign', '*')) return { kind: 'once' }
      const step = named()
      return this.#takes('keyword', 'notices')
        ? { kind: 'notices', step, count: Number(this.#take('number')) }
        : { kind: 'step', step }
    }
    const permutation: PermutationStep[] = []
    do {
      const step = named()
      const blockers: Blocker[] = []
      if (this.#takes('sign', '(')) {
        do blockers.push(blocker())
        while (this.#takes('sign', ','))
        if (!this.#takes('sign', ')')) this.#fail()
      }
      permutation.push({ step, blockers })
    } while (this.#tokens[this.#at]?.kind === 'name')
    return permutation
  }

  #block(keyword: 'setup' | 'teardown'): string | undefined {
    return this.#takes('keyword', keyword) ? this.#take('sql') : undefined
  }

  #takes(kind: Token['kind'], text: string): boolean {
    const token = this.#tokens[this.#at]
    const isIt = token?.kind === kind && token.text === text
    if (isIt) this.#at++
    return isIt
  }

  #take(kind: Token['kind']): string {
    const token = this.#tokens[this.#at++]
    if (token?.kind !== kind) this.#fail(this.#at - 1)
    return token!.text
  }

  #fail(at = this.#at): never {
    throw new SyntaxError(`unexpected ${this.#tokens[at]?.text ?? 'end'}`)
  }
}

/** All orders that keep those of sessions; steps of earlier sessions first. */
function interleavings(sessions: readonly (readonly Step[])[]): Permutation[] {
  const left = sessions.flatMap((steps, session) => (steps.length === 0 ? [] : [session]))
  if (left.length === 0) return [[]]
  return left.flatMap((session) => {
    const [step, ...rest] = sessions[session]!
    return interleavings(sessions.with(session, rest)).map((others) => [{ step: step!, blockers: [] }, ...others])
  })
}
