// undici's Pool: a check-then-act, the token is fetched once more.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { Pool } from 'undici'
import { close, twice, urlOf } from './http.ts'
import { planted } from './planted.ts'

planted('undici: requests share one token', async ({ isFixed }) => {
  let tokens = 0
  const server = createServer(({ url }, response) => {
    response.end(url === '/token' ? `token ${++tokens}` : 'data')
  }).listen(0)
  const pool = new Pool(await urlOf(server), { connections: 2 })
  const get = async (path: string) => (await pool.request({ path, method: 'GET' })).body.text()
  let token: string | undefined
  let pending: Promise<string> | undefined
  const authenticate = async () => {
    if (isFixed) token = await (pending ??= get('/token'))
    else token ??= await get('/token')
  }
  const answers = await twice(async () => {
    await authenticate()
    return get(`/data?${token!.replace(' ', '')}`)
  })
  await pool.close()
  await close(server)
  assert.deepEqual(answers, ['data', 'data'])
  assert.equal(tokens, 1)
})
