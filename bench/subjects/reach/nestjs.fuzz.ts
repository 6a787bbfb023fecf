// NestJS on express: a service counts with a lost update. Node strips types only: no decorators.
import assert from 'node:assert/strict'
import 'reflect-metadata'
import { Controller, Module, Post } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { close, twice, urlOf } from './http.ts'
import { planted, stored } from './planted.ts'

planted('NestJS: both orders count', async ({ inTurn }) => {
  const orders = stored(0)
  class Orders {
    async create() {
      await inTurn(async () => orders.write((await orders.read()) + 1))
      return { created: true }
    }
  }
  Controller('orders')(Orders)
  Post()(Orders.prototype, 'create', Object.getOwnPropertyDescriptor(Orders.prototype, 'create')!)
  class App {}
  Module({ controllers: [Orders] })(App)
  const app = await NestFactory.create(App, { logger: false })
  const server = await app.listen(0)
  const url = `${await urlOf(server)}/orders`
  const answers = await twice(async () => (await fetch(url, { method: 'POST' })).json())
  await close(server)
  await app.close()
  assert.deepEqual(answers, [{ created: true }, { created: true }])
  assert.equal(await orders.read(), 2)
})
