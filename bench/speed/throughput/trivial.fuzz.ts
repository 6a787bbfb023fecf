/** The two trivial properties (bodies.ts). */
import { fc, fuzz } from 'norn'
import { checkAtOnce, checkLater } from './bodies.ts'

fuzz('synchronous', { value: fc.integer() }, ({ value }) => checkAtOnce(value))

fuzz('asynchronous', { value: fc.integer() }, ({ value }) => checkLater(value))
