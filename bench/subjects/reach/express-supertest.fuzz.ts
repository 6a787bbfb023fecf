// express, called by supertest: a check-then-act, two users register one name.
import assert from 'node:assert/strict'
import express from 'express'
import request from 'supertest'
import { twice } from './http.ts'
import { pause, planted } from './planted.ts'

planted('express and supertest: a name is taken once', async ({ inTurn }) => {
  const names = new Set<string>()
  const register = async (name: string) => {
    if (names.has(name)) return false
    await pause()
    names.add(name)
    return true
  }
  const app = express().use(express.json())
  app.post('/users', async ({ body }, response) => {
    response.sendStatus((await inTurn(() => register(body.name))) ? 201 : 409)
  })
  const answers = await twice(() => request(app).post('/users').send({ name: 'ada' }))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
})
