// multer: the middleware calls back once for each upload, and an upload that failed leaves no file.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import multer from 'multer'
import { fc, fuzz } from 'norn'
import { listen } from './unreliable.ts'
import { send, upload } from './upload.ts'

fuzz(
  'multer: calls back once, and a failed upload leaves no file',
  {
    uploads: fc.array(upload, { minLength: 1, maxLength: 2 }),
    fileSize: fc.constantFrom(undefined, 500),
    flush: fc.boolean(),
  },
  async ({ uploads, fileSize, flush }) => {
    let received = 0
    let called = 0
    let stored = 0
    const storage = multer.diskStorage({ destination: 'uploads', flush } as object)
    const middleware = multer({ storage, limits: fileSize === undefined ? {} : { fileSize } }).any()
    const server = http.createServer((request, response) => {
      received++
      middleware(request as never, response as never, (error: unknown) => {
        called++
        if (!error) stored += (request as unknown as { files: unknown[] }).files.length
        response.end()
      })
    })
    const port = await listen(server)
    await Promise.all(uploads.map((one) => send(port, one)))
    await sleep(1000)
    server.close()
    assert.equal(called, received)
    assert.equal(fs.readdirSync('uploads').length, stored, 'a failed upload leaves a file')
  },
)
