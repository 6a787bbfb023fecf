/** What both loops do in one step: a tick, and a chain of three awaits. */
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

/** How many steps have come to their end. */
export function finished(): number {
  return Math.min(ticks, chains)
}
