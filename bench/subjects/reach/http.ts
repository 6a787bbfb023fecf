/** What the servers and clients of the suite share. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until a server listens. @returns its URL, without a slash at the end */
export async function urlOf(server: Server): Promise<string> {
  if (!server.listening) await once(server, 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** Closes a server with its connections. */
export async function close(server: Server & { closeAllConnections?(): void }): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections?.()
  await closed
}

/** Runs an action twice, so far apart that the second follows the first unless that is slow. */
export async function twice<Result>(action: (which: number) => Promise<Result>): Promise<readonly Result[]> {
  return Promise.all([action(1), sleep(5).then(() => action(2))])
}
