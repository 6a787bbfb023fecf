/** The oldest message of a channel is lost. */
import type { Fault } from './fault.ts'

export const drop: Fault<'drops'> = {
  name: 'drop',
  option: 'drops',
  place: 'channel',
  weight: 0.25,
  complexity: 2,
  logged: 'lost',
  never: 'no message was ever dropped',
  replacesDelivery: true,
  isPossible: ({ network }, { from, to }) => network.channel(from, to).length > 0,
  perform: (host, { from, to }) => host.lose(host.network.take(from, to)!, 'drop'),
}
