// express, called by fetch: a lost update between two awaits of the handler.
import assert from 'node:assert/strict'
import express from 'express'
import { close, twice, urlOf } from './http.ts'
import { planted, stored } from './planted.ts'

planted('express and fetch: no deposit is lost', async ({ inTurn }) => {
  const balance = stored(0)
  const app = express().use(express.json())
  app.post('/deposits', async (request, response) => {
    await inTurn(async () => balance.write((await balance.read()) + request.body.amount))
    response.status(201).json({ deposited: request.body.amount })
  })
  const server = app.listen(0)
  const url = `${await urlOf(server)}/deposits`
  const headers = { 'content-type': 'application/json' }
  const statuses = await twice(async (amount) => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ amount }) })
    assert.deepEqual(await response.json(), { deposited: amount })
    return response.status
  })
  await close(server)
  assert.deepEqual(statuses, [201, 201])
  assert.equal(await balance.read(), 3)
})
