/**
 * The models that norn and TLC are timed on: models with enough states to measure a rate, and small
 * ones to time the whole command. From a clone of tlaplus/Examples with the settings of its
 * configurations, but without invariants and properties, and with seven participants in TwoPhase;
 * and our own Raft.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COUNTS, MODELS } from '../../../models/counts.ts'
import { examples } from '../examples/collection.ts'
import { NAMED } from '../examples/known.ts'

export interface Subject {
  readonly name: string
  readonly specification: string
  readonly configuration: string
}

/** Small models have fewer states. */
const SMALL_STATES = 5000

/** A specification of a single state, to time how long it takes to start. */
export function oneState(scratch: string): Subject {
  const module = '---- MODULE OneState ----\nVARIABLE x\nInit == x = 0\nNext == UNCHANGED x\n====\n'
  return written(scratch, 'OneState', module, 'INIT Init\nNEXT Next\n')
}

/** @param folder a clone of tlaplus/Examples */
export function large(folder: string | undefined, scratch: string): readonly Subject[] {
  const raft = own('RaftElectionElections.cfg')
  if (folder === undefined) return [own('TwoPhaseCommitSeven.cfg'), raft]
  const specifications = join(folder, 'specifications')
  const configured = (path: string, name: string, lines: readonly string[]): Subject => {
    const configuration = join(scratch, `${name}.cfg`)
    writeFileSync(configuration, `${lines.join('\n')}\nCHECK_DEADLOCK FALSE\n`)
    return { name, specification: join(specifications, path), configuration }
  }
  return [
    configured('transaction_commit/TwoPhase.tla', 'TwoPhase7', [
      'CONSTANT RM = {r1, r2, r3, r4, r5, r6, r7}',
      'INIT TPInit',
      'NEXT TPNext',
    ]),
    configured('lamport_mutex/MCLamportMutex.tla', 'LamportMutex', [
      'CONSTANTS N = 3 MaxNat = 7 maxClock = 6 Nat <- NatOverride',
      'CONSTRAINT ClockConstraint',
      'INIT Init',
      'NEXT Next',
    ]),
    configured('Chameneos/Chameneos.tla', 'Chameneos', [
      'CONSTANTS N = 4 M = 4 Faded = Faded MeetingPlaceEmpty = MeetingPlaceEmpty',
      'INIT Init',
      'NEXT Next',
    ]),
    configured('transaction_commit/PaxosCommit.tla', 'PaxosCommit', [
      'CONSTANTS RM = {r1, r2} Acceptor = {a1, a2, a3} Majority = {{a1, a2}, {a1, a3}, {a2, a3}} Ballot = {0, 1}',
      'INIT PCInit',
      'NEXT PCNext',
    ]),
    raft,
  ]
}

/** Models that pass, of few states. @param folder a clone of tlaplus/Examples */
export function small(folder: string | undefined): readonly Subject[] {
  const ours = COUNTS.models
    .filter(({ result, distinct }) => result === 'passes' && distinct! < SMALL_STATES)
    .map(({ configuration }) => own(configuration))
  const theirs = folder === undefined ? [] : examples(folder)
  return [...ours, ...theirs.filter(({ name, distinct }) => NAMED.includes(name) && distinct < SMALL_STATES)]
}

function own(configuration: string): Subject {
  const { specification } = COUNTS.models.find((model) => model.configuration === configuration)!
  return {
    name: configuration.replace(/\.cfg$/, ''),
    specification: join(MODELS, specification),
    configuration: join(MODELS, configuration),
  }
}

function written(scratch: string, name: string, module: string, configuration: string): Subject {
  const path = (extension: string) => join(scratch, `${name}.${extension}`)
  writeFileSync(path('tla'), module)
  writeFileSync(path('cfg'), configuration)
  return { name, specification: path('tla'), configuration: path('cfg') }
}
