// formidable: parse() settles once for each upload, and an upload that failed leaves no file.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import formidable from 'formidable'
import { fc, fuzz } from 'norn'
import { listen } from './unreliable.ts'
import { send, upload } from './upload.ts'

fuzz(
  'formidable: parse settles, and a failed upload leaves no file',
  { uploads: fc.array(upload, { minLength: 1, maxLength: 2 }) },
  async ({ uploads }) => {
    fs.mkdirSync('uploads')
    let received = 0
    let settled = 0
    let stored = 0
    const server = http.createServer(async (request, response) => {
      received++
      const [, files] = await formidable({ uploadDir: 'uploads' })
        .parse(request)
        .catch(() => [])
      settled++
      stored += Object.keys(files ?? {}).length
      response.end()
    })
    const port = await listen(server)
    await Promise.all(uploads.map((one) => send(port, one)))
    await sleep(1000)
    server.close()
    assert.equal(settled, received, 'parse never settles')
    assert.equal(fs.readdirSync('uploads').length, stored, 'a failed upload leaves a file')
  },
)
