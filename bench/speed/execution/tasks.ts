/**
 * The compared bodies. Asynchronous steps are parameters, so that norn and fc.scheduler run the
 * same bodies.
 */

/** Three tasks of two steps each, over a variable. */
export async function threeTasksInMemory(step: (value: number) => Promise<number>): Promise<void> {
  let balance = 0
  const task = async (amount: number) => {
    const before = await step(balance)
    balance = before + amount
    await step(balance)
  }
  await Promise.all([task(1), task(2), task(3)])
  if (balance < 1 || balance > 6) throw new Error(`the balance is ${balance}`)
}

/** Three tasks that each read a file, and write it back with a number added. */
export async function threeTasksOverAFile(
  path: string,
  read: (path: string) => Promise<string>,
  write: (path: string, text: string) => Promise<void>,
): Promise<void> {
  await write(path, '0')
  const task = async (amount: number) => {
    const before = Number(await read(path))
    await write(path, String(before + amount))
  }
  await Promise.all([task(1), task(2), task(3)])
  const total = Number(await read(path))
  if (!(total >= 0 && total <= 6)) throw new Error(`the total is ${total}`)
}
