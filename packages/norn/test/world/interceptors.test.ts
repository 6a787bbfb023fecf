import { expect, test } from 'vitest'
import { BUILTINS, tableOf } from '../../src/world/builtins.ts'
import { INTERCEPTORS } from '../../src/world/interceptors.ts'
import { type Interceptor, installAll, type LeftOpen, runAll } from '../../src/world/loop/interceptor.ts'

/** A builtin that Node does not have: all that norn needs to know of one. */
const dummy: Interceptor<{ readonly log: string[] }, { readonly answer: number }> = {
  name: 'node:dummy',
  builtins: { dummy: { controlled: 'wait', note: 'Waits.' }, globals: { controlled: 'dummyWait' } },
  install: ({ log }) => ({
    provides: { answer: 42 },
    enter: () => void log.push('enter dummy'),
    leave: () => void log.push('leave dummy'),
    leftOpen: (left) => void left.push({ path: 'dummy', opened: log }),
    closeOf: () => void log.push('close dummy'),
  }),
}

test('a builtin is one file and one line in the list: the table and the hooks follow', () => {
  const table = tableOf([...INTERCEPTORS, dummy])
  expect(table.dummy).toEqual({ controlled: 'wait', note: 'Waits.' })
  expect(table.globals!.controlled).toMatch(/^\w.* dummyWait$/)
  expect(Object.keys(table).filter((name) => !(name in BUILTINS))).toEqual(['dummy', 'globals'])

  const parts = { log: [] as string[], answer: 0 }
  const later: Interceptor<typeof parts> = {
    name: 'later',
    install: ({ log, answer }) => ({ enter: () => void log.push(`enter later with ${answer}`) }),
  }
  const hooks = installAll<typeof parts>([dummy, later], parts)
  runAll(hooks.enter)
  runAll(hooks.leave)
  expect(parts.log).toEqual(['enter dummy', 'enter later with 42', 'leave dummy'])
  const left: LeftOpen[] = []
  for (const add of hooks.leftOpen) add(left)
  expect(left).toEqual([{ path: 'dummy', opened: parts.log }])
  expect(hooks.closeOf).toHaveLength(1)
})

test('no two interceptors have a name in common', () => {
  const names = INTERCEPTORS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
