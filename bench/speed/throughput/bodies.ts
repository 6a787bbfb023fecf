/** The bodies that are compared: of one number and one branch, so that what is measured is everything around them. */

export function checkAtOnce(value: number): void {
  if (!Number.isInteger(value)) throw new Error(`${value} is no whole number`)
}

export async function checkLater(value: number): Promise<void> {
  const settled = await Promise.resolve(value)
  if (!Number.isInteger(settled)) throw new Error(`${settled} is no whole number`)
}
