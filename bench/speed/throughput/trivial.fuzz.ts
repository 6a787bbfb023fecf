/** The two trivial properties. Each body is in bodies.ts, and the baselines' too. */
import { fc, fuzz } from 'norn'
import { checkAtOnce, checkLater } from './bodies.ts'

fuzz('synchronous', { value: fc.integer() }, ({ value }) => checkAtOnce(value))

fuzz('asynchronous', { value: fc.integer() }, ({ value }) => checkLater(value))
