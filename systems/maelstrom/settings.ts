/** The settings of a run, from environment variables: README.md lists them. */
import type { WorkloadName } from 'norn/maelstrom'

const { env } = process

/** The command of a node: a JSON array, or words separated by blanks. */
export const COMMAND = commandOf(env.MAELSTROM_NODE)
export const WORKLOAD = (env.MAELSTROM_WORKLOAD ?? 'echo') as WorkloadName
export const NODES = numberOf('MAELSTROM_NODES', 3)
export const REQUESTS = numberOf('MAELSTROM_REQUESTS', 10)
export const STEPS = numberOf('MAELSTROM_STEPS', 100)
export const SLEEP_MS = numberOf('MAELSTROM_SLEEP_MS', 50)
export const SILENT_MS = numberOf('MAELSTROM_SILENT_MS', 1000)
export const FAULTS = {
  crashes: numberOf('MAELSTROM_CRASHES', 0),
  drops: numberOf('MAELSTROM_DROPS', 0),
  duplicates: numberOf('MAELSTROM_DUPLICATES', 0),
  partitions: numberOf('MAELSTROM_PARTITIONS', 0),
}

function commandOf(text: string | undefined): readonly string[] {
  if (text === undefined) throw new Error("set MAELSTROM_NODE to the command of a node, such as 'python3 echo.py'")
  return text.startsWith('[') ? (JSON.parse(text) as string[]) : text.split(' ').filter(Boolean)
}

function numberOf(name: string, otherwise: number): number {
  const value = Number(env[name] ?? otherwise)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new Error(`${name} must be a number of 0 or more, not '${env[name]}'`)
}
