import { expect, test } from 'vitest'
import { project } from './project.ts'

/** A client that gives up after 150 ms of virtual time. */
const IMPATIENT = `
import { once } from 'node:events'
import net from 'node:net'
import { fuzz } from 'norn'

const body = async () => {
  const server = net.createServer((socket) => socket.on('error', () => {}).end('hello')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = net.connect(server.address().port, '127.0.0.1')
  await once(client, 'data', { signal: AbortSignal.timeout(150) })
  client.destroy()
  server.close()
}
fuzz('gives up', {}, body)
fuzz('does not give up', {}, body, { network: { latency: 'datacenter' } })
fuzz('names what is not there', {}, body, {
  network: { hosts: { 'localhost': '1ms', 'db.internal:5432': 'mobile' } },
  slow: { 'GET /seets': '1s', connect: '1ms' },
})
`
const CONFIG = "export default { network: { latency: '20ms..500ms' } }\n"

test('the network of the configuration holds unless a property has its own, in a replay too', async () => {
  const { call, failures } = project({ 'package.json': '{}', 'norn.config.mjs': CONFIG, 'a.fuzz.mjs': IMPATIENT })
  const found = await call('fuzz', 'a.fuzz.mjs', '--property', 'give', '--runs', '60', '--seed', '1', '--json')
  const lines = found.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const summaries = lines.filter(({ type }) => type === 'summary')
  expect(summaries.map(({ property, failed }) => [property, failed > 0])).toEqual([
    ['gives up', true],
    ['does not give up', false],
  ])
  const replayed = await call('replay', failures()[0]!, '--json')
  expect(JSON.parse(replayed.stdout)).toMatchObject({ verdict: 'failed', exact: true })
})

test('an option that names a host or an operation that no execution has is told', async () => {
  const { call } = project({ 'package.json': '{}', 'a.fuzz.mjs': IMPATIENT })
  const args = ['fuzz', 'a.fuzz.mjs', '--property', 'names', '--runs', '20', '--seed', '1']
  const { status, stdout } = await call(...args)
  expect(status).toBe(0)
  expect(stdout.split('\n').filter((line) => line.includes('matched'))).toEqual([
    "  ! option network.hosts['db.internal:5432'] matched nothing",
    "  ! option slow['GET /seets'] matched nothing",
  ])
  const json = (await call(...args, '--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const unmatched = ["network.hosts['db.internal:5432']", "slow['GET /seets']"]
  expect(json.find(({ type }) => type === 'summary')).toMatchObject({ unmatched })
})

const BOUNDED = `
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fuzz } from 'norn'

fuzz('is there within 40 ms', {}, async () => {
  if ((await Promise.race([stat('.'), sleep(40, 'late')])) === 'late') throw new Error('late')
}, { maxLatencyMs: 5 })
`

test('--max-latency holds before what a property declares, and is kept with the failure', async () => {
  const { call, failures } = project({ 'package.json': '{}', 'a.fuzz.mjs': BOUNDED })
  const args = ['fuzz', 'a.fuzz.mjs', '--runs', '60', '--seed', '1']
  expect(await call(...args)).toMatchObject({ status: 0 })
  expect(await call(...args, '--max-latency', '100ms')).toMatchObject({ status: 1 })
  const replayed = await call('replay', failures()[0]!, '--json')
  expect(JSON.parse(replayed.stdout)).toMatchObject({ verdict: 'failed', exact: true })
})

const RETRIED = `
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { fuzz } from 'norn'

const request = (port) =>
  new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', method: 'POST', agent: false }
    http.request(options, (response) => response.resume().on('end', resolve).on('error', reject)).on('error', reject).end()
  })
fuzz('booked once', {}, async () => {
  let booked = 0
  const server = http.createServer((_, response) => response.end(String(++booked))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await request(port).catch(() => request(port))
  server.close()
  assert.equal(booked, 1)
}, { faults: { resets: 2, hangups: 1, refusals: 1 } })
`

test('a fault of the network is shown, shrunk to one, saved, replayed, and shown again', async () => {
  const { call, failures } = project({ 'package.json': '{}', 'a.fuzz.mjs': RETRIED })
  const { status, stdout } = await call('fuzz', 'a.fuzz.mjs', '--seed', '1', '--runs', '300')
  expect(status).toBe(1)
  expect(stdout).toContain('fails under the default schedule (1 fault injected)')
  expect(stdout).toMatch(/✗ +injected: (reset|closed) .*: .* +a\.fuzz\.mjs:\d+/)
  expect(stdout).toContain('✗ injected fault')
  expect(stdout).toMatch(/nearest passing execution: (without the|with another) fault of (POST|200)/)
  const replayed = JSON.parse((await call('replay', failures()[0]!, '--json')).stdout)
  expect(replayed).toMatchObject({ verdict: 'failed', exact: true })
  expect(replayed.faults).toHaveLength(1)
  expect(replayed.faults[0].kind).toMatch(/^(resets|hangups)$/)
})
