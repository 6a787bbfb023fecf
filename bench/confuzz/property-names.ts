/** How the properties of a subject are called; apart, because only the process of a subject can import `norn`. */

/** Ends the name of the property that has the example for its only input. */
const ONE_INPUT = ', with one input'

/** @param name that of the property with all inputs */
export function withOneInput(name: string): string {
  return `${name}${ONE_INPUT}`
}

/** Whether a property is the one of that subject, with one input or with all of them. */
export function isPropertyOf(subject: string, name: string, oneInput: boolean): boolean {
  return name.startsWith(`${subject}:`) && name.endsWith(ONE_INPUT) === oneInput
}
