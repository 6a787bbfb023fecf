import { describe, expect, test } from 'vitest'
import { Cleanliness, ONE_BY_ONE, PERIOD } from '../../src/execution/cleanliness.ts'

/** A process in which executions can leave something behind. */
class FakeProcess {
  dirty = false
  checks = 0
  readonly cleanliness = new Cleanliness(() => this.restore())

  restore(): boolean {
    this.checks++
    const changed = this.dirty
    this.dirty = false
    return changed
  }

  /**
   * Runs an execution that may leave something behind, and fails where it must not find anything.
   */
  async run({ leaves = false, minds = false } = {}): Promise<{ verdict: string; clean: boolean }> {
    const execute = (check: boolean) => {
      const clean = !this.dirty
      const verdict = minds && !clean ? 'failed' : 'passed'
      this.dirty ||= leaves
      return { verdict, clean, report: { changedObjects: check && this.restore() } }
    }
    const check = this.cleanliness.isDue
    const result = execute(check)
    return this.cleanliness.isInDoubt(result, check) ? execute(true) : result
  }

  async passMany(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.run()
  }
}

describe('how often a process is checked', () => {
  test('after each of the first executions, then less and less often', async () => {
    const subject = new FakeProcess()
    await subject.passMany(ONE_BY_ONE)
    expect(subject.checks).toBe(ONE_BY_ONE)
    await subject.passMany(10 * PERIOD)
    const later = subject.checks - ONE_BY_ONE
    expect(later).toBeGreaterThanOrEqual(10)
    expect(later).toBeLessThanOrEqual(16)
  })

  test('after each one, for good, once something was left behind', async () => {
    const subject = new FakeProcess()
    await subject.passMany(3)
    await subject.run({ leaves: true })
    const before = subject.checks
    await subject.passMany(500)
    expect(subject.checks - before).toBe(500)
    for (let i = 0; i < 20; i++) expect((await subject.run({ leaves: true })).clean).toBe(true)
  })
})

test('no failure comes from what an earlier execution left', async () => {
  for (let later = 0; later < PERIOD; later++) {
    const subject = new FakeProcess()
    await subject.passMany(ONE_BY_ONE + later)
    await subject.run({ leaves: true })
    expect(await subject.run({ minds: true })).toMatchObject({ verdict: 'passed', clean: true })
    expect(subject.dirty).toBe(false)
  }
})
