/** The names of the parties of an execution over connections. */
import { cut } from '../../contract/text.ts'

const MAX_NAME = 20

/** A server is known by its port, or the name of its file; by more of it, if another has the same. */
export function partyNames(servers: readonly string[]): (party: string) => string {
  const short = (party: string) => /:\d+$/.exec(party)?.[0] ?? party.split('/').at(-1)!
  const alike = Map.groupBy(new Set(servers), short)
  return (party) => {
    const name = short(party)
    const isOne = (alike.get(name)?.length ?? 0) < 2
    return isOne ? cut(name, MAX_NAME) : party.length > MAX_NAME ? `…${party.slice(1 - MAX_NAME)}` : party
  }
}
