// zustand: an action sets what it read before its await.
import assert from 'node:assert/strict'
import { createStore } from 'zustand/vanilla'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('zustand: both items are in the cart', async ({ isFixed }) => {
  const store = createStore<{ readonly items: readonly number[] }>(() => ({ items: [] }))
  const add = async (item: number) => {
    const { items } = store.getState()
    await pause()
    if (isFixed) store.setState((state) => ({ items: [...state.items, item] }))
    else store.setState({ items: [...items, item] })
  }
  await twice(add)
  assert.deepEqual([...store.getState().items].sort(), [1, 2])
})
