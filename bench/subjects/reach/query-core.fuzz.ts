// @tanstack/query-core: a refetch under way overwrites an optimistic update that did not cancel it.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { QueryClient } from '@tanstack/query-core'
import { pause, planted } from './planted.ts'

planted('query-core: a new name is shown', async ({ isFixed }) => {
  let name = 'old'
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const queryKey = ['name']
  const queryFn = async () => {
    const read = name
    await pause()
    return read
  }
  await client.fetchQuery({ queryKey, queryFn })
  const refetched = client.fetchQuery({ queryKey, queryFn }).catch(() => {})
  await sleep(5)
  if (isFixed) await client.cancelQueries({ queryKey })
  name = 'new'
  client.setQueryData(queryKey, name)
  await refetched
  assert.equal(client.getQueryData(queryKey), 'new')
  client.clear()
})
