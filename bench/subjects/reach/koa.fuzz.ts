// koa: a middleware keeps the user of a request in a variable that requests share.
import assert from 'node:assert/strict'
import Koa from 'koa'
import { close, twice, urlOf } from './http.ts'
import { pause, planted } from './planted.ts'

planted('koa: a request is answered for its own user', async ({ isFixed }) => {
  const app = new Koa()
  let current: string | undefined
  app.use(async (context, next) => {
    current = context.get('x-user')
    if (isFixed) context.state.user = current
    await next()
  })
  app.use(async (context) => {
    await pause()
    context.body = `hello ${isFixed ? context.state.user : current}`
  })
  const server = app.listen(0)
  const url = await urlOf(server)
  const greetings = await twice(async (user) => (await fetch(url, { headers: { 'x-user': `user ${user}` } })).text())
  await close(server)
  assert.deepEqual(greetings, ['hello user 1', 'hello user 2'])
})
