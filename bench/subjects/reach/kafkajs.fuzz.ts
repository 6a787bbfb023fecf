// kafkajs without a broker: what was sent is received.
import assert from 'node:assert/strict'
import { Kafka, logLevel } from 'kafkajs'
import { fuzz } from 'norn'

fuzz('kafkajs: what was sent is received', {}, async () => {
  const kafka = new Kafka({ brokers: ['127.0.0.1:9092'], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
  const producer = kafka.producer()
  await producer.connect()
  await producer.send({ topic: 'orders', messages: [{ value: 'one' }] })
  const consumer = kafka.consumer({ groupId: 'norn' })
  await consumer.connect()
  await consumer.subscribe({ topic: 'orders', fromBeginning: true })
  const { promise: received, resolve } = Promise.withResolvers<string>()
  await consumer.run({ eachMessage: async ({ message }) => resolve(`${message.value}`) })
  assert.equal(await received, 'one')
  await consumer.disconnect()
  await producer.disconnect()
})
