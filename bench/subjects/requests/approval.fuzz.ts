// Three requests to a server, each in three phases between accesses to files. A document is signed off
// wrongly in one order of their phases: the last to come begins, and each phase goes on where the one before
// left off.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fuzz } from 'norn'

fuzz('approval: three signatures never interleave to a forged one', {}, async () => {
  let seal = ''
  await writeFile('document.txt', 'draft')
  const server = createServer(async (request, response) => {
    const who = request.url!.slice('/sign/'.length)
    seal += who
    await readFile('document.txt')
    seal += who
    await writeFile(`signed-by-${who}.txt`, who)
    seal += who
    response.end()
  })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sign = (who: string) => fetch(`http://localhost:${port}/sign/${who}`, { method: 'POST' })
  await Promise.all(['a', 'b', 'c'].map(sign))
  assert.ok(!seal.startsWith('cabbca'), seal)
  server.close()
})
