/**
 * A schedule with a swap: of six steps started together, the fourth must not end before the third.
 */
import { failOn } from './cases.ts'

const STEPS = 6

/** @param step one asynchronous step */
export async function swapped(step: () => Promise<unknown>): Promise<void> {
  const order: number[] = []
  await Promise.all(
    Array.from({ length: STEPS }, async (_, index) => {
      await step()
      order.push(index)
    }),
  )
  if (order.indexOf(3) < order.indexOf(2)) failOn(order)
}
