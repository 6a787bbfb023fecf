/**
 * The tests of a file: groups with hooks, and tests in them. Every adapter declares into a group,
 * which runs a test alone with the hooks of its groups, or all tests of a file in order.
 *
 * Follows mocha, node:test, tape, tap and ava where they agree: hooks run from the outermost group
 * inwards before a test and outwards after it, also after a failure; the first error is the
 * outcome. The caller applies time limits, which under a virtual clock are bounds on time like any
 * other.
 */

/** State that hooks and tests of one run share: mocha's `this`, ava's `t.context`. */
export type Shared = Record<string, unknown>

export type Step = (shared: Shared) => unknown

export interface CollectedTest {
  readonly title: string
  readonly mode: 'run' | 'skip' | 'only'
  readonly group: Group
  readonly run: Step
}

export type Moment = 'before' | 'beforeEach' | 'afterEach' | 'after'

export class Group {
  readonly title: string
  readonly parent: Group | undefined
  readonly skipped: boolean
  readonly hooks: Readonly<Record<Moment, Step[]>> = { before: [], beforeEach: [], afterEach: [], after: [] }
  readonly tests: CollectedTest[] = []
  readonly groups: Group[] = []

  constructor(title: string, parent?: Group, skipped = false) {
    this.title = title
    this.parent = parent
    this.skipped = skipped || (parent?.skipped ?? false)
    parent?.groups.push(this)
  }

  add(title: string, mode: CollectedTest['mode'], run: Step): void {
    this.tests.push({ title, mode: this.skipped ? 'skip' : mode, group: this, run })
  }

  /** The group and those it stands in, outermost first. */
  get path(): Group[] {
    return [...(this.parent?.path ?? []), this]
  }

  /** All tests of the group and of those in it, in the order in which a framework runs them. */
  get all(): CollectedTest[] {
    return [...this.tests, ...this.groups.flatMap((group) => group.all)]
  }
}

/** A test that asks to be skipped while it runs throws this. */
export class Skipped extends Error {}

/** The name of a test with those of its groups. */
export function fullTitle({ title, group }: CollectedTest): string {
  return [...group.path.map((each) => each.title), title].filter((part) => part !== '').join(' › ')
}

/** Runs one test, with the hooks of its groups around it. Rejects with the first error. */
export async function runAlone(test: CollectedTest): Promise<void> {
  const path = test.group.path
  const shared: Shared = {}
  const outwards = [...path].reverse()
  const errors = new Errors()
  await errors.during(async () => {
    for (const { hooks } of path) await runSteps(hooks.before, shared)
    for (const { hooks } of path) await runSteps(hooks.beforeEach, shared)
    await test.run(shared)
  })
  for (const { hooks } of outwards) await errors.during(() => runSteps(hooks.afterEach, shared))
  for (const { hooks } of outwards) await errors.during(() => runSteps(hooks.after, shared))
  errors.throwFirst()
}

/**
 * Runs all tests of a group one after the other, as its framework does, and rejects with the first
 * error.
 */
export async function runTogether(group: Group, shared: Shared = {}): Promise<void> {
  const errors = new Errors()
  await errors.during(async () => {
    await runSteps(group.hooks.before, shared)
    for (const test of group.tests) {
      if (test.mode === 'skip') continue
      const own = { ...shared }
      await errors.during(async () => {
        for (const { hooks } of group.path) await runSteps(hooks.beforeEach, own)
        await test.run(own)
      })
      for (const { hooks } of [...group.path].reverse()) await errors.during(() => runSteps(hooks.afterEach, own))
    }
    for (const inner of group.groups) await errors.during(() => runTogether(inner, { ...shared }))
  })
  await errors.during(() => runSteps(group.hooks.after, shared))
  errors.throwFirst()
}

async function runSteps(steps: readonly Step[], shared: Shared): Promise<void> {
  for (const step of steps) await step(shared)
}

/** Keeps the first error of several actions. */
class Errors {
  #first: { error: unknown } | undefined

  async during(action: () => Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      if (!(error instanceof Skipped)) this.#first ??= { error }
    }
  }

  throwFirst(): void {
    if (this.#first !== undefined) throw this.#first.error
  }
}

/**
 * Calls a function that may take a callback, give back a promise, or do neither; settles when it is
 * done.
 */
export function called(fn: Function, self: unknown, args: readonly unknown[]): Promise<void> {
  if (fn.length <= args.length) return new Promise((resolve) => resolve(fn.apply(self, args)))
  return new Promise((resolve, reject) => {
    let done = false
    fn.apply(self, [
      ...args,
      (error?: unknown) => {
        if (done) throw new Error('done() was called more than once')
        done = true
        if (error) reject(error)
        else resolve()
      },
    ])
  })
}
