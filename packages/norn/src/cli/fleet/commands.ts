/** The commands of `norn fleet`. */
import { type Command, Option } from 'commander'
import type { ExitStatus } from '../exit-status.ts'
import { count, duration, guide, seed, strategy, workers } from '../option-values.ts'
import { type FleetActions, fleetActions } from './actions.ts'

/** @param local adds the options of commands that run code of the project */
export function addFleetCommands(
  program: Command,
  run: (command: Promise<ExitStatus>) => Promise<void>,
  local: (command: Command) => Command,
): void {
  const fleet = program
    .command('fleet')
    .description('campaigns of several machines on a queue in Redis (docs/fleet.md)')
  const act = (action: (fleet: FleetActions) => Promise<ExitStatus>) => run(fleetActions().then(action))
  const onQueue = (name: string, description: string) =>
    fleet
      .command(name)
      .description(description)
      .option('--queue <url>', 'redis://HOST:PORT, or rediss:// for TLS; NORN_QUEUE by default')
      .option('--prefix <text>', 'of all keys in Redis', 'norn')

  local(onQueue('work', 'work for the fleet with the code of this checkout'))
    .addOption(new Option('--workers <count>', 'shards at once; 1 by default').argParser(workers))
    .option('--lease <duration>', 'a worker that is silent for so long loses its shard; 30s by default', duration)
    .option('--until-idle <duration>', 'end when there was nothing to do for so long', duration)
    .action((options) => act((fleet) => fleet.fleetWorkCommand(options)))

  local(onQueue('fuzz', 'declare a campaign, and watch it'))
    .argument('[files...]', 'files of properties, folders that hold such, or quoted globs; by default this folder')
    .option('--time <duration>', 'machine time of all shards together; 10m by default', duration)
    .option('--shards <count>', 'number of shards at most', count)
    .option('--continuous', 'no end, until norn fleet drain', false)
    .option('--slice <duration>', 'time of a shard; 30s by default', duration)
    .option('--slice-runs <count>', 'executions of a shard at most', count)
    .option('--seed <number>', 'seed of the campaign (32 bits); the same call with it watches the same campaign', seed)
    .addOption(new Option('--strategy <name>', 'schedule strategy, as of norn fuzz').argParser(strategy))
    .addOption(new Option('--guide <what>', 'feedback that guides the search, as of norn fuzz').argParser(guide))
    .option('--property <text>', 'only properties whose name contains this')
    .option('--keep-going', 'continue after the first failure of a property', false)
    .option('--no-share', 'workers do not share what they find')
    .option('--detach', 'declare the campaign, and do not watch it', false)
    .option('--json', 'print JSON lines', false)
    .action((files: string[], options) => act((fleet) => fleet.fleetFuzzCommand(files, options)))

  onQueue('status', 'show the campaigns')
    .option('--json', 'print a JSON line for each', false)
    .action((options) => act((fleet) => fleet.fleetStatusCommand(options)))
  onQueue('pause', 'hand out no more shards').action((options) =>
    act((fleet) => fleet.fleetPauseCommand(true, options)),
  )
  onQueue('resume', 'hand out shards again').action((options) =>
    act((fleet) => fleet.fleetPauseCommand(false, options)),
  )
  onQueue('drain', 'announce no more shards')
    .argument('[campaign]', 'the beginning of its id; all by default')
    .option('--forget', 'also remove what the queue knows of it; corpora stay', false)
    .action((id: string | undefined, options) => act((fleet) => fleet.fleetDrainCommand(id, options)))
}
