// amqplib 1.0.4 -> 1.0.5 (issue 191)
//
// The race: a later message is confirmed, and then the channel is closed, before an earlier one is confirmed. The
// close calls back who waits, from the first one on, and stops at the place of the one that was confirmed. 1.0.5
// goes on to the last one.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'amqplib-buggy'
import { fc, fuzz } from 'norn'
import { answers, channelClosed, confirmation, isPublished, methodsOf } from './amqp.ts'

const ms = fc.integer({ min: 0, max: 20 })

fuzz(
  'amqplib: every publish is called back',
  { confirms_ms: fc.array(ms, { minLength: 1, maxLength: 4 }), close_ms: fc.integer({ min: 5, max: 25 }) },
  async ({ confirms_ms, close_ms }) => {
    const broker = createServer((socket) => {
      let published = 0
      let isOpen = true
      socket.on('error', () => {})
      socket.on(
        'data',
        methodsOf(async (method) => {
          for (const answer of answers(method)) socket.write(answer)
          if (!isPublished(method)) return
          const tag = ++published
          if (tag === 1)
            setTimeout(() => {
              isOpen = false
              socket.write(channelClosed())
            }, close_ms)
          await sleep(confirms_ms[tag - 1])
          if (isOpen) socket.write(confirmation(tag))
        }),
      )
    })
    broker.listen(0, '127.0.0.1')
    await once(broker, 'listening')
    const connection = await connect(`amqp://127.0.0.1:${(broker.address() as AddressInfo).port}`)
    connection.on('error', () => {})
    const channel = await connection.createConfirmChannel()
    channel.on('error', () => {})
    let called = 0
    for (const _ of confirms_ms) channel.publish('', 'queue', Buffer.from('hello'), {}, () => called++)
    await sleep(1_000)
    await connection.close()
    broker.close()
    assert.equal(called, confirms_ms.length)
  },
)
