// nodemailer's pool with smtp-server: every sendMail settles, no message that was sent is missing or
// doubled, and close() leaves no connection.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import nodemailer from 'nodemailer'
import { fc, fuzz } from 'norn'
import { SMTPServer } from 'smtp-server'

fuzz(
  'nodemailer: every sendMail settles, and what was sent arrives once',
  {
    mails: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 4 }),
    cuts: fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 2 }),
    answerAfter: fc.integer({ min: 0, max: 20 }),
    refused: fc.array(fc.boolean(), { maxLength: 3 }),
    maxMessages: fc.constantFrom(1, 2, 100),
    closeAt: fc.option(fc.integer({ min: 0, max: 100 })),
  },
  async ({ mails, cuts, answerAfter, refused, maxMessages, closeAt }) => {
    const arrived: string[] = []
    const sockets = new Set<Socket>()
    const answers = [...refused]
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, callback) => callback(answers.shift() ? new Error('refused') : null),
      onData(stream, _session, callback) {
        text(stream).then(async (mail) => {
          arrived.push(/subject: (\d+)/i.exec(mail)?.[1] ?? '')
          await sleep(answerAfter)
          callback()
        }, callback)
      },
    })
    smtp.on('error', () => {})
    smtp.server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
    smtp.listen(0, '127.0.0.1')
    await once(smtp.server, 'listening')
    const { port } = smtp.server.address() as AddressInfo
    const pool = nodemailer.createTransport({
      host: '127.0.0.1',
      port,
      pool: true,
      maxConnections: 2,
      maxMessages,
      ignoreTLS: true,
    })
    for (const at of cuts) setTimeout(() => [...sockets].forEach((socket) => void socket.destroy()), at)
    if (closeAt !== null) setTimeout(() => pool.close(), closeAt)
    const settled = mails.map(async (at, index) => {
      await sleep(at)
      const sent = await pool.sendMail({ from: 'a@x.test', to: 'b@x.test', subject: `${index}`, text: 'text' }).then(
        () => true,
        () => false,
      )
      const times = arrived.filter((subject) => subject === `${index}`).length
      assert.ok(
        sent ? times === 1 : times <= 1,
        `message ${index} was ${sent ? '' : 'not '}sent, and arrived ${times} times`,
      )
      return true
    })
    assert.ok(await Promise.race([Promise.all(settled), sleep(600_000, undefined)]), 'sendMail() never settles')
    pool.close()
    await sleep(1000)
    assert.equal(sockets.size, 0, 'a connection is left')
    await new Promise<void>((resolve) => smtp.close(resolve))
  },
)
