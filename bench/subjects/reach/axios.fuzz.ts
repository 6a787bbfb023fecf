// axios: the answer to the first search comes after that to the second, and is shown.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import axios from 'axios'
import { close, twice, urlOf } from './http.ts'
import { pause, planted } from './planted.ts'

planted('axios: the last search is shown', async ({ isFixed }) => {
  const server = createServer(async ({ url }, response) => {
    await pause()
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ found: url }))
  }).listen(0)
  const client = axios.create({ baseURL: await urlOf(server) })
  let shown: unknown
  let last = 0
  await twice(async (search) => {
    last = search
    const { data } = await client.get(`/search/${search}`)
    if (!isFixed || last === search) shown = data.found
  })
  await close(server)
  assert.equal(shown, '/search/2')
})
