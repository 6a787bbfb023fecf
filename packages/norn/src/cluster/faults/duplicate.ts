/** The oldest message of a channel arrives once more. */
import type { Fault } from './fault.ts'

export const duplicate: Fault<'duplicates'> = {
  name: 'duplicate',
  option: 'duplicates',
  place: 'channel',
  weight: 0.25,
  complexity: 1,
  logged: 'duplicate',
  never: 'no message was ever duplicated',
  isPossible: ({ network }, { from, to }) => network.channel(from, to).length > 0,
  perform(host, { from, to }) {
    const oldest = host.network.channel(from, to)[0]!
    host.resend(oldest)
    host.record('duplicate', to, host.nodes[from]!, '', oldest.id, oldest.data)
    host.settle()
  },
}
