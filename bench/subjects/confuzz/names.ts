/** The names that users have in two of the subjects. */
import { fc } from 'norn'

const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz')

/** Up to five names of five letters each. */
export const names = fc.array(fc.string({ unit: letter, minLength: 5, maxLength: 5 }), { maxLength: 5 })
