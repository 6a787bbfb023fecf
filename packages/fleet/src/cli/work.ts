/** `norn fleet work`: works for a fleet with the code of this checkout, until a signal or until nothing is left. */
import { hostname } from 'node:os'
import { type ExitStatus, type FleetWorkFlags, interruption, print, printableLine, STATUS } from 'norn/internal/session'
import { codeIdentity } from '../code-identity.ts'
import { Fleet } from '../fleet.ts'
import { pause } from '../pause.ts'
import { shownAddress } from '../queue-address.ts'
import { ATTEMPTS } from '../steward.ts'
import { FleetWorker } from '../worker.ts'
import { addressOf, startOf } from './options.ts'

const LEASE_MS = 30_000
/** Between two looks at the campaigns, in milliseconds. */
const ROUND_MS = 2000

export async function fleetWorkCommand(options: FleetWorkFlags): Promise<ExitStatus> {
  const root = process.cwd()
  const address = addressOf(options)
  const say = (line: string) => print(printableLine(line))
  const changed = (lost: string | undefined) =>
    say(
      lost === undefined
        ? `the queue at ${shownAddress(address)} is there again`
        : `! cannot reach the queue at ${shownAddress(address)} (${lost}): trying again; findings stay in .norn/failures`,
    )
  const fleet = await Fleet.open({ address, prefix: options.prefix, changed })
  const code = codeIdentity(root)
  const steward = fleet.steward(code.hash)
  const { signal, ignore } = interruption()
  const idle = new IdleWatch(options.untilIdle)
  const slots = Array.from({ length: options.workers ?? 1 }, (_, slot) => {
    const name = `${hostname()}-${process.pid}-${slot}`
    const workers = (isExact?: boolean) => fleet.workers(code.hash, isExact)
    const parts = { root, name, slot, code, startOf: startOf(root, options), ledger: fleet.ledger, steward }
    const worker = new FleetWorker({ ...parts, workers, say })
    const running = fleet.work(code.hash, name, options.lease ?? LEASE_MS, ATTEMPTS, (data) =>
      idle.during(() => worker.run(data, signal)),
    )
    running.on('failed', (job, error) => say(`! shard ${job?.id}: ${error.message}`))
    return worker
  })
  say(`working for ${shownAddress(address)} at ${code.text}`)
  try {
    const named = new Set<string>()
    while (!signal.aborted && !idle.isOver) {
      try {
        await slots[0]!.deliverLate()
        for (const campaign of await fleet.ledger.campaigns()) {
          if (campaign.code === code.hash) {
            await steward.mend(campaign)
            await steward.announce(campaign, await fleet.workers(code.hash))
          } else if (!named.has(campaign.id) && (await fleet.ledger.state(campaign))?.open) {
            named.add(campaign.id)
            say(`? campaign ${campaign.id} is for ${campaign.codeText}: not for this checkout (${code.text})`)
          }
        }
      } catch {
        // The connection tells when it is lost, and when it is there again.
      }
      await pause(ROUND_MS, signal)
    }
  } finally {
    // Closing waits for the shards under way, which the signal has ended early.
    await fleet.close()
    for (const slot of slots) slot.close()
    ignore()
  }
  return STATUS.passed
}

/** Whether nothing was done for some time. */
class IdleWatch {
  readonly #limitMs: number | undefined
  #running = 0
  #since = performance.now()

  constructor(limitMs: number | undefined) {
    this.#limitMs = limitMs
  }

  get isOver(): boolean {
    return this.#limitMs !== undefined && this.#running === 0 && performance.now() - this.#since > this.#limitMs
  }

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
      this.#since = performance.now()
    }
  }
}
