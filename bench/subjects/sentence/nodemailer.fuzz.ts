// nodemailer 10.0.11 -> 10.0.12: every sendMail() of a pooled transport settles, whatever happens to the connections,
// and whenever the transport is closed, and a mail it says it sent has arrived.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import nodemailer from 'nodemailer-buggy'
import { fc, fuzz } from 'norn'
import { SMTPServer } from 'smtp-server'

fuzz(
  'nodemailer: every send settles',
  {
    mails: fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 1, maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 2 }),
    closeAt: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
  },
  async ({ mails, limit, closeAt }) => {
    const arrived: string[] = []
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      hideSTARTTLS: true,
      onData(stream, _session, callback: () => void) {
        let text = ''
        stream.on('data', (chunk: Buffer) => (text += chunk))
        stream.on('end', () => {
          arrived.push(text)
          callback()
        })
      },
    } as never)
    server.on('error', () => {})
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    const { port } = server.server.address()
    const transport = nodemailer.createTransport({
      host: '127.0.0.1',
      port,
      pool: true,
      maxConnections: limit,
      ignoreTLS: true,
      secure: false,
    } as never)
    if (closeAt !== undefined) setTimeout(() => transport.close(), closeAt)
    await Promise.all(
      mails.map(async (ms, i) => {
        await sleep(ms)
        const sent = await transport
          .sendMail({ from: 'a@a.test', to: 'b@b.test', subject: `mail ${i}`, text: `mail ${i}` })
          .then(
            () => true,
            () => false,
          )
        if (sent) assert.ok(arrived.some((text) => text.includes(`mail ${i}`)))
      }),
    )
    transport.close()
    server.close(() => {})
  },
  { faults: { resets: 1, hangups: 1 } },
)
