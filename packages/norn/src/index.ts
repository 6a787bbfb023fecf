/**
 * norn: finds the bugs hiding in the order of things.
 *
 * This is what a file of properties imports.
 */
export { fromBytes } from './property/from-bytes.ts'
export { draw, fc, fuzz, note, outOfEntropy, target, withoutFaults } from './property/fuzz.ts'
export type { Arbitraries, Body, PropertyOptions } from './property/property.ts'
