/**
 * The names of a subject's properties. Not in subject.ts, as only a subject's process can import
 * `norn`.
 */

/** Ends the name of the property whose only input is the example. */
const ONE_INPUT = ', with one input'

/** @param name the property with all inputs */
export function withOneInput(name: string): string {
  return `${name}${ONE_INPUT}`
}

/** Whether this is the property of that subject, with one input or with all. */
export function isPropertyOf(subject: string, name: string, oneInput: boolean): boolean {
  return name.startsWith(`${subject}:`) && name.endsWith(ONE_INPUT) === oneInput
}
