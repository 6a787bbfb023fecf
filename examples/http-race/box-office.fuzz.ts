import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { fuzz } from 'norn'
import { boxOffice } from './box-office.ts'

fuzz('a sold seat stays sold', {}, async () => {
  await writeFile('seats.json', '{}')
  const server = boxOffice('seats.json').listen(0)
  await once(server, 'listening')
  const at = `http://localhost:${(server.address() as AddressInfo).port}/seats`

  await Promise.all(
    ['ada', 'bob'].map(async (name, seat) => {
      const bought = await fetch(`${at}/${seat}?name=${name}`, { method: 'POST' })
      assert.equal(bought.status, 201)
      const owner = await (await fetch(`${at}/${seat}`)).json()
      assert.equal(owner, name)
    }),
  )
  server.close()
})
