// graphql-yoga on node:http: a mutation with a lost update.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createSchema, createYoga } from 'graphql-yoga'
import { close, twice, urlOf } from './http.ts'
import { planted, stored } from './planted.ts'

planted('graphql-yoga: both votes count', async ({ inTurn }) => {
  const votes = stored(0)
  const typeDefs = 'type Query { votes: Int } type Mutation { vote: Boolean }'
  const vote = async () => {
    await inTurn(async () => votes.write((await votes.read()) + 1))
    return true
  }
  const schema = createSchema({ typeDefs, resolvers: { Query: { votes: () => votes.read() }, Mutation: { vote } } })
  const server = createServer(createYoga({ schema, logging: false })).listen(0)
  const url = `${await urlOf(server)}/graphql`
  const ask = async (query: string) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })
    return (await response.json()).data
  }
  assert.deepEqual(await twice(() => ask('mutation { vote }')), [{ vote: true }, { vote: true }])
  const counted = await ask('{ votes }')
  await close(server)
  assert.deepEqual(counted, { votes: 2 })
})
