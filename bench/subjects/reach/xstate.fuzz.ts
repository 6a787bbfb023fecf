// xstate: an action's own promise answers after the state was left; an invoked one is stopped.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { assign, createActor, fromPromise, setup } from 'xstate'
import { pause, planted } from './planted.ts'

planted('xstate: the last search is shown', async ({ isFixed }) => {
  const search = async (term: number) => {
    await pause()
    return `answer ${term}`
  }
  const machine = setup({
    actors: { search: fromPromise(({ input }: { input: number }) => search(input)) },
  }).createMachine({
    context: { term: 0, shown: '' },
    initial: 'idle',
    on: {
      search: { target: '.searching', reenter: true, actions: assign({ term: ({ event }) => event.term }) },
      found: { actions: assign({ shown: ({ event }) => event.answer }) },
    },
    states: {
      idle: {},
      searching: isFixed
        ? {
            invoke: {
              src: 'search',
              input: ({ context }) => context.term,
              onDone: { actions: assign({ shown: ({ event }) => event.output }) },
            },
          }
        : {
            entry: ({ context, self }) =>
              void search(context.term).then((answer) => self.send({ type: 'found', answer })),
          },
    },
  })
  const actor = createActor(machine).start()
  actor.send({ type: 'search', term: 1 })
  await sleep(5)
  actor.send({ type: 'search', term: 2 })
  await sleep(100)
  assert.equal(actor.getSnapshot().context.shown, 'answer 2')
  actor.stop()
})
