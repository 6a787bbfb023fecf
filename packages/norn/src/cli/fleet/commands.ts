/** The commands of `norn fleet`. */
import type { Command } from 'commander'
import type { OptionTable } from '../../options/option.ts'
import type { ExitStatus } from '../exit-status.ts'
import { addFlags, RUNNING } from '../flags.ts'
import { type FleetActions, fleetActions } from './actions.ts'
import { DRAIN, FUZZ, QUEUE, STATUS, WORK } from './options.ts'

export function addFleetCommands(program: Command, run: (command: Promise<ExitStatus>) => Promise<void>): void {
  const fleet = program
    .command('fleet')
    .description('campaigns of several machines on a queue in Redis (docs/fleet.md)')
  const act = (action: (fleet: FleetActions) => Promise<ExitStatus>) => run(fleetActions().then(action))
  const onQueue = (name: string, description: string, ...tables: readonly OptionTable[]) =>
    addFlags(fleet.command(name).description(description), QUEUE, ...tables)

  onQueue('work', 'work for the fleet with the code of this checkout', RUNNING, WORK).action((flags) =>
    act((fleet) => fleet.work(flags)),
  )
  onQueue('fuzz', 'declare a campaign, and watch it', RUNNING, FUZZ)
    .argument('[files...]', 'files of properties, folders that hold such, or quoted globs; by default this folder')
    .action((files: string[], flags) => act((fleet) => fleet.fuzz(files, flags)))
  onQueue('status', 'show the campaigns', STATUS).action((flags) => act((fleet) => fleet.status(flags)))
  onQueue('pause', 'hand out no more shards').action((flags) => act((fleet) => fleet.pause(true, flags)))
  onQueue('resume', 'hand out shards again').action((flags) => act((fleet) => fleet.pause(false, flags)))
  onQueue('drain', 'announce no more shards', DRAIN)
    .argument('[campaign]', 'the beginning of its id; all by default')
    .action((id: string | undefined, flags) => act((fleet) => fleet.drain(id, flags)))
}
