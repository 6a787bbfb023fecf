/**
 * The subjects of the confuzz suite are what they are said to be: each passes its zero input and its example in the
 * natural order, and fails, on stock Node, in the order of its description. B1 and TCP, whose order needs the clock, are
 * made to fail in the world.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { type Pool, threadPool } from '../../bench/confuzz/pool.ts'
import { withOneInput } from '../../bench/confuzz/property-names.ts'
import { Hunter } from '../../bench/confuzz/search.ts'
import { stockProperty } from '../../bench/confuzz/stock-property.ts'
import { SUBJECTS } from '../../bench/confuzz/subjects.ts'
import { NATURAL_PLAN } from '../../src/explore/execution.ts'
import { Worker } from '../../src/property/worker.ts'
