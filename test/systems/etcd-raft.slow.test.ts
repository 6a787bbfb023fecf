/** The harness around etcd's raft library: deterministic, sound, and as its README says. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type ClusterOptions,
  logText,
  type ModelBinding,
  type ProgramSystem,
  type Scenario,
  scenario,
} from 'norn/cluster'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { executeDirectly } from '../../bench/microbenchmark/direct.ts'
import { plannerOf } from '../../bench/microbenchmark/trial.ts'
import { binaryOf } from '../../systems/etcd-raft/binary.ts'
import { etcdRaft, type Variant } from '../../systems/etcd-raft/cluster-options.ts'
import type { RaftState, Step } from '../../systems/etcd-raft/events.ts'
import { buildHarness } from '../../systems/etcd-raft/harness.ts'
import { MUTANTS } from '../../systems/etcd-raft/mutants/index.ts'
import { isInstalled, LIBRARY } from '../../systems/etcd-raft/toolchain.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const installed = isInstalled()
if (!installed) console.warn('etcd-raft is not tested: Go or the library is missing. Run `npm run systems:etcd-raft`')

describe.skipIf(!installed)('etcd-raft', () => {
  beforeAll(() => buildHarness())

  afterEach(() => {
    for (const system of systems.splice(0)) system.close()
  })

  test.each([false, true])('it keeps the stdio protocol, deterministically (counting hits: %s)', (isCovered) => {
    buildHarness(undefined, isCovered)
    const requests = ['{"f":"write","value":1}', '{"f":"read"}'].flatMap((request) => ['--request', request])
    const call = [
      'packages/norn/src/cli/main.ts',
      'protocol',
      'check',
      ...requests,
      '--',
      binaryOf(undefined, isCovered),
    ]
    const { status, stdout } = spawnSync(process.execPath, ['-C', 'norn-source', ...call], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/✓ determinism/)
    expect(status).toBe(0)
  })

  test('the same tapes make the same logs in two processes, and no oracle is violated', () => {
    const logsOf = () => {
      const planner = plannerOf({ guide: 'none', policy: 'norn', seed: 1 })
      const options = etcdRaft() as ClusterOptions
      const system = options.system() as ProgramSystem
      const logs = Array.from({ length: 60 }, () => {
        const plan = planner.next()
        const { result, thrown, record } = executeDirectly(options, plan)
        expect(thrown).toBeUndefined()
        planner.observe(plan, result)
        return logText(record().log)
      })
      const { pid } = system
      system.close()
      return { logs, pid }
    }
    const [one, other] = [logsOf(), logsOf()]
    expect(one.pid).not.toBe(other.pid)
    expect(one.logs).toEqual(other.logs)
  })

  test('the library does nothing that its model does not allow, and the model leaves out no step', () => {
    const { model, ...options } = etcdRaft() as ClusterOptions
    const planner = plannerOf({ guide: 'none', policy: 'norn', seed: 2 })
    const conforming = { ...options, model: strict(model!) }
    systems.push(conforming.system() as ProgramSystem)
    for (let execution = 0; execution < 40; execution++) {
      const plan = planner.next()
      const { result, thrown } = executeDirectly(conforming, plan)
      expect(thrown).toBeUndefined()
      const { log, followed } = result.observation!.cluster!.happened!
      const protocol = log.filter(({ kind }) => kind === 'event' || kind === 'crash')
      expect(new Set(followed.map(({ entry }) => entry))).toEqual(new Set(protocol))
      planner.observe(plan, result)
    }
  })

  test('a crash keeps term, vote and entries, but loses a commit index that was not synced', () => {
    const s = cluster({ snapshotEvery: 0 })
    s.until(leads('a'))
    s.request('a', { f: 'write', value: 1 })
    s.until(({ node }) => node('b').state!.commit === 2)
    const before = s.state('b')
    s.crash('b')
    // It was told last of the commit index, which it did not have to sync.
    s.hold(({ to }) => to === 'b')
    s.restart('b')
    expect(s.state('b')).toMatchObject({ term: before.term, vote: before.vote, log: before.log })
    expect(s.state('b').commit).toBeLessThan(before.commit)
    s.release()
    s.until(({ node }) => node('b').state!.commit === 2)
  })

  test('a node that was down gets a snapshot, if the log that it misses is compacted', () => {
    const s = cluster({ snapshotEvery: 3 })
    s.until(leads('a'))
    s.crash('c')
    for (let value = 1; value <= 5; value++) s.request('a', { f: 'write', value })
    s.until(({ node }) => node('a').state!.snapshot.index >= 6)
    s.restart('c')
    s.until(({ node }) => node('c').state!.snapshot.index >= 6)
    expect(eventsOf(s, 'c', 'snapshot installed')).toHaveLength(1)
    const step = stepsOf(s, 'c').find(({ installed }) => installed !== undefined)!
    expect(step).toMatchObject({ kind: 'deliver', in: { type: 'MsgSnap' }, after: { snapshot: step.installed } })
    s.crash('c')
    s.restart('c')
    expect(stepsOf(s, 'c').at(-1)).toMatchObject({ kind: 'restart', before: { snapshot: step.installed } })
  })

  test('a lost snapshot is sent again', () => {
    const s = cluster({ snapshotEvery: 3 })
    s.until(leads('a'))
    s.crash('c')
    for (let value = 1; value <= 5; value++) s.request('a', { f: 'write', value })
    s.until(({ node }) => node('a').state!.snapshot.index >= 6)
    let lost = 0
    const rule = s.drop(({ message }) => (message as { type: string }).type === 'MsgSnap' && ++lost === 1)
    s.restart('c')
    s.until(({ node }) => node('c').state!.snapshot.index >= 6)
    s.release(rule)
  })

  test('clients read what was written, through any node', () => {
    const s = cluster()
    s.until(leads('a'))
    const write = s.request('b', { f: 'write', value: 7 })
    s.until(() => write.replies.length > 0)
    const read = s.request('c', { f: 'read' })
    const cas = s.request('c', { f: 'cas', from: 6, to: 8 })
    s.until(() => read.replies.length > 0 && cas.replies.length > 0)
    expect([write, read, cas].map(({ replies }) => replies)).toEqual([
      [{ value: null }],
      [{ value: 7 }],
      [{ value: false }],
    ])
  })

  test('a leader that is cut off does not answer reads', () => {
    const s = cluster()
    s.until(leads('a'))
    s.partition(['a'])
    const read = s.request('a', { f: 'read' })
    s.run(2_000)
    expect(s.state('a').role).toBe('leader')
    expect(read.replies).toEqual([])
  })

  test('leadership is transferred', () => {
    const s = cluster()
    s.until(leads('a'))
    s.request('a', { transfer: 'c' })
    s.until(leads('c'))
    const asked = stepsOf(s, 'c')
      .flatMap(({ out = [] }) => out)
      .filter(({ type }) => type === 'MsgVote')
    expect(asked.map(({ context }) => context)).toEqual(['CampaignTransfer', 'CampaignTransfer'])
  })

  test('a learner joins, becomes a voter in a joint configuration, and another voter leaves', () => {
    const s = cluster({ nodes: ['a', 'b', 'c', 'd'], voters: 3 })
    s.until(leads('a'))
    const learn = s.request('a', { configure: 'l4' })
    s.until(({ node }) => node('d').state!.configuration.learners !== undefined)
    expect(s.state('d').configuration).toEqual({ voters: ['a', 'b', 'c'], learners: ['d'] })
    const replace = s.request('a', { configure: 'v4 r3', transition: 'explicit' })
    s.until(() => replace.replies.length > 0)
    expect(s.state('a').configuration).toEqual({ voters: ['a', 'b', 'd'], outgoing: ['a', 'b', 'c'] })
    const leave = s.request('a', { configure: '' })
    s.until(() => leave.replies.length > 0)
    s.until(({ node }) => node('d').state!.configuration.outgoing === undefined)
    expect(s.state('d').configuration).toEqual({ voters: ['a', 'b', 'd'] })
    expect([learn, replace, leave].map(({ replies }) => replies)).toEqual([
      [{ value: null }],
      [{ value: null }],
      [{ value: null }],
    ])
  })

  test('a change that leaves no voter is refused', () => {
    const s = cluster()
    s.until(leads('a'))
    const { replies } = s.request('a', { configure: 'r1 r2 r3' })
    expect(replies).toEqual([{ error: 'removed all voters' }])
  })

  test('the text that a mutant replaces is in the library once', () => {
    const misses = MUTANTS.flatMap(({ name, edits }) =>
      edits
        .filter(({ file, before }) => readFileSync(join(LIBRARY, file), 'utf8').split(before).length !== 2)
        .map(() => name),
    )
    expect(misses).toEqual([])
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
  })

  test.each([
    ['read-without-quorum', ['a']],
    ['learner-read', ['a', 'd']],
  ])('the mutant %s answers reads at a leader that was replaced', (name, side) => {
    const mutant = MUTANTS.find((each) => each.name === name)!
    buildHarness(mutant)
    const stale = (variant: Variant) => {
      const s = cluster({ nodes: ['a', 'b', 'c', 'd'], voters: 3, learners: 1, ...variant })
      s.until(leads('a'))
      s.until(({ node }) => node('a').state!.commit === 1)
      s.partition(side)
      s.until(({ node }) => ['b', 'c'].some((id) => node(id).state!.role === 'leader'))
      const leader = ['b', 'c'].find((id) => s.state(id).role === 'leader')!
      const write = s.request(leader, { f: 'write', value: 1 })
      s.until(() => write.replies.length > 0)
      s.request('a', { f: 'read' })
      s.run(500)
    }
    stale({})
    expect(thrownBy(() => stale({ mutant: name })).name).toBe('HistoryViolation')
  })

  test.each([
    ['read-without-quorum', 'ConfirmAlone', hasCommitted],
    ['learner-read', 'HandleHeartbeatResponse', hasCommitted],
    ['read-before-commit', 'SendHeartbeat', leadsItself],
  ])('held to its model, the mutant %s fails as soon as it goes on with a read: %s', (name, action, isReady) => {
    const mutant = MUTANTS.find((each) => each.name === name)!
    buildHarness(mutant)
    const read = (variant: Variant) => {
      const s = cluster({ nodes: ['a', 'b', 'c', 'd'], voters: 3, learners: 1, ...variant }, true)
      s.until(isReady)
      if (name === 'learner-read') s.partition(['a', 'd'])
      s.request('a', { f: 'read' })
      s.run(100)
    }
    read({})
    const { name: error, message } = thrownBy(() => read({ mutant: name }))
    expect(error).toBe('ModelDivergence')
    expect(message).toContain(`the model does not allow ${action}("a"`)
  })

  test('a bug of this version: a joint configuration is left twice by itself, and the second time panics', () => {
    const s = cluster({ nodes: ['a', 'b', 'c', 'd'], voters: 3 })
    s.until(leads('a'))
    s.request('a', { configure: 'v4 r3', transition: 'implicit' })
    s.request('a', { f: 'write', value: 1 })
    expect(thrownBy(() => s.run(1_000)).message).toMatch(/^can't leave a non-joint config/)
  })

  test('a log that is compacted without a stored snapshot makes the leader panic', () => {
    const s = cluster({ lose: 'snapshot' })
    s.until(leads('a'))
    s.crash('c')
    for (let value = 1; value <= 3; value++) s.request('a', { f: 'write', value })
    s.until(({ node }) => node('a').state!.log.length < node('a').state!.index)
    s.restart('c')
    expect(thrownBy(() => s.run(1_000)).message).toMatch(/^need non-empty snapshot/)
  })

  test('a panic of the library fails the execution, and tells where it happened', () => {
    const s = cluster({ lose: 'disk', snapshotEvery: 0 })
    s.until(leads('a'))
    s.until(({ node }) => node('c').state!.commit === 1)
    s.crash('c')
    s.restart('c')
    const failure = thrownBy(() => s.run(1_000))
    expect(failure.message).toMatch(/^tocommit\(1\) is out of range \[lastIndex\(0\)\]/)
    expect(failure.stack).toMatch(
      /at go\.etcd\.io\/etcd\/raft\.\(\*raftLog\)\.commitTo \(go\.etcd\.io\/etcd\/raft\/log\.go:\d+\)/,
    )
    expect(failure.stack).not.toMatch(/0x/)
  })
})

const systems: ProgramSystem[] = []

/** A scenario in which all oracles apply; if it is `held` to the model, that is one, too. */
function cluster(variant: Variant = {}, held = false): Scenario<RaftState> {
  const { system, steps: _, requests: __, ...options } = etcdRaft(variant) as ClusterOptions<unknown, RaftState>
  return scenario({
    ...options,
    ...(held && { model: strict(options.model!) }),
    system: () => {
      const made = system() as ProgramSystem<RaftState>
      systems.push(made)
      return made
    },
  })
}

function strict<State, Request>(model: ModelBinding<State, Request>): ModelBinding<State, Request> {
  return { ...model, disabled: 'fail', agree: { ...model.agree!, differences: 'fail' } }
}

function leadsItself({ node }: Scenario<RaftState>['view']): boolean {
  return node('a').state!.role === 'leader'
}

function hasCommitted({ node }: Scenario<RaftState>['view']): boolean {
  return node('a').state!.commit === 1
}

/** Whether a node leads, and all voters that are up know it. */
function leads(leader: string) {
  return ({ nodes }: Scenario<RaftState>['view']) =>
    nodes.every(({ id, up, state }) => !up || !state.configuration.voters.includes(id) || state.lead === leader)
}

function eventsOf({ log }: Scenario<RaftState>, node: string, name: string): readonly unknown[] {
  return log.filter((entry) => entry.kind === 'event' && entry.node === node && entry.name === name)
}

function stepsOf({ log }: Scenario<RaftState>, node: string): readonly Step[] {
  return log.flatMap((entry) => (entry.node === node && entry.name === 'step' ? [entry.data as Step] : []))
}

function thrownBy(act: () => void): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}
