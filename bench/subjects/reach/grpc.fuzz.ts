// grpc-js, server and client over http2: a lost update between two calls.
import assert from 'node:assert/strict'
import { promisify } from 'node:util'
import * as grpc from '@grpc/grpc-js'
import { twice } from './http.ts'
import { planted, stored } from './planted.ts'

const json = {
  requestStream: false,
  responseStream: false,
  requestSerialize: (value: unknown) => Buffer.from(JSON.stringify(value)),
  requestDeserialize: (bytes: Buffer) => JSON.parse(`${bytes}`),
  responseSerialize: (value: unknown) => Buffer.from(JSON.stringify(value)),
  responseDeserialize: (bytes: Buffer) => JSON.parse(`${bytes}`),
} as const
const service = { add: { path: '/Counter/Add', ...json } }

planted('grpc-js: both calls count', async ({ inTurn }) => {
  const count = stored(0)
  const server = new grpc.Server()
  server.addService(service, {
    async add({ request }, answer) {
      await inTurn(async () => count.write((await count.read()) + request))
      answer(null, 'added')
    },
  } satisfies grpc.UntypedServiceImplementation)
  const insecure = grpc.ServerCredentials.createInsecure()
  const port = await promisify(server.bindAsync.bind(server))('localhost:0', insecure)
  const Client = grpc.makeGenericClientConstructor(service, 'Counter')
  const client = new Client(`localhost:${port}`, grpc.credentials.createInsecure())
  const answers = await twice((by) => promisify(client.add!.bind(client))(by))
  client.close()
  await promisify(server.tryShutdown.bind(server))()
  assert.deepEqual(answers, ['added', 'added'])
  assert.equal(await count.read(), 3)
})
