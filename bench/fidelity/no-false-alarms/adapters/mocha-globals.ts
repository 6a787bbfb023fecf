/**
 * mocha's interfaces as globals, BDD and TDD, for files that import nothing. Removed with the
 * execution.
 */
import { interfaces } from './mocha.ts'

Object.assign(globalThis, interfaces)
