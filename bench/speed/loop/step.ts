/** One step of both loops: a tick, and a chain of three awaits. */
export const STEPS = 10_000

let ticks = 0
let chains = 0

export function step(): void {
  process.nextTick(() => {
    ticks++
  })
  void chain()
}

async function chain(): Promise<void> {
  await undefined
  await undefined
  await undefined
  chains++
}

/** The number of finished steps. */
export function finished(): number {
  return Math.min(ticks, chains)
}
