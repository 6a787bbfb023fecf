/** The compared bodies: one number and one branch, so that everything around them is measured. */

export function checkAtOnce(value: number): void {
  if (!Number.isInteger(value)) throw new Error(`${value} is not an integer`)
}

export async function checkLater(value: number): Promise<void> {
  const settled = await Promise.resolve(value)
  if (!Number.isInteger(settled)) throw new Error(`${settled} is not an integer`)
}
