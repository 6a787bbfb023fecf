/** How long Linux tries to connect to a server that does not answer (tcp_syn_retries). */
const RETRY_US = 1_000_000

/** The number of tries; without an answer to the last one the connection times out. */
export const TRIES = 7

/** When the n-th try after the first is, after `connect`: 1, 3, 7, … seconds. */
export function tryUs(nth: number): number {
  return (2 ** nth - 1) * RETRY_US
}
