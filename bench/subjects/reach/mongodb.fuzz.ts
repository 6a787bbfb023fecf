// mongodb without a MongoDB: a lost update between findOne and updateOne.
import assert from 'node:assert/strict'
import { MongoClient } from 'mongodb'
import { twice } from './http.ts'
import { planted } from './planted.ts'

planted('mongodb: no deposit is lost', async ({ isFixed }) => {
  const client = new MongoClient('mongodb://127.0.0.1:27017', { serverSelectionTimeoutMS: 500 })
  const accounts = client.db('norn').collection<{ _id: string; balance: number }>('accounts')
  await accounts.replaceOne({ _id: 'ada' }, { balance: 0 }, { upsert: true })
  await twice(async () => {
    if (isFixed) return accounts.updateOne({ _id: 'ada' }, { $inc: { balance: 1 } })
    const { balance } = (await accounts.findOne({ _id: 'ada' }))!
    return accounts.updateOne({ _id: 'ada' }, { $set: { balance: balance + 1 } })
  })
  assert.equal((await accounts.findOne({ _id: 'ada' }))!.balance, 2)
  await client.close()
})
