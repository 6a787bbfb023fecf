// express, called by light-my-request: a check-then-act, one seat is sold twice.
import assert from 'node:assert/strict'
import express from 'express'
import inject from 'light-my-request'
import { twice } from './http.ts'
import { planted, stored } from './planted.ts'

planted('express and light-my-request: the last seat is sold once', async ({ inTurn }) => {
  const seats = stored(1)
  const sell = async () => {
    const free = await seats.read()
    if (free > 0) await seats.write(free - 1)
    return free > 0
  }
  const app = express()
  app.post('/tickets', async (_, response) => {
    response.sendStatus((await inTurn(sell)) ? 201 : 409)
  })
  const answers = await twice(() => inject(app, { method: 'POST', url: '/tickets' }))
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 409])
})
