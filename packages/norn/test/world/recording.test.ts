import { homedir, tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { Recording } from '../../src/world/recording.ts'

test('an event has its time, and its path as it is on every machine', () => {
  let nowUs = 5
  const recording = new Recording('/project', () => nowUs)
  recording.add({ event: 'sync', step: { chain: '0', index: 0 }, kind: 'open', resource: '/project/a/b' })
  nowUs = 7
  recording.add({
    event: 'effect',
    step: { chain: '0', index: 1 },
    kind: 'unlink',
    resource: `${tmpdir()}/x`,
    delayUs: 3,
    outcome: 'ok',
  })
  recording.add({ event: 'timer', step: { chain: '0', index: 2 }, kind: 'timer' })
  expect(recording.trace()).toEqual([
    { event: 'sync', label: '0:0', chain: '0', kind: 'open', resource: 'a/b', atUs: 5, delayUs: 0, outcome: '' },
    {
      event: 'effect',
      label: '0:1',
      chain: '0',
      kind: 'unlink',
      resource: '$TMP/x',
      atUs: 7,
      delayUs: 3,
      outcome: 'ok',
    },
    { event: 'timer', label: '0:2', chain: '0', kind: 'timer', resource: '', atUs: 7, delayUs: 0, outcome: '' },
  ])
  expect(recording.relative('/projects/a')).toBe('/projects/a')
  expect(recording.relative(`${homedir()}/.npmrc`)).toBe('~/.npmrc')
})

test('a path is named by the innermost folder around it: the temporary folder may lie in the project', () => {
  const recording = new Recording(dirname(tmpdir()), () => 0)
  expect(recording.relative(`${tmpdir()}/x`)).toBe('$TMP/x')
  expect(new Recording(tmpdir(), () => 0).relative(`${tmpdir()}/x`)).toBe('x')
})

test('while it is paused nothing goes into the trace', () => {
  const recording = new Recording('/project', () => 0)
  recording.paused = true
  recording.add({ event: 'start', step: { chain: '0', index: 0 }, kind: 'body' })
  expect(recording.trace()).toEqual([])
})

test('output is kept up to a bound, and a reset takes new lists', () => {
  const recording = new Recording('/project', () => 0)
  for (let line = 0; line < 100; line++) recording.print('x'.repeat(1000))
  expect(recording.output.length).toBe(64 * 1024)
  recording.add({ event: 'start', step: { chain: '0', index: 0 }, kind: 'body' })
  const { trace } = recording
  recording.reset(undefined)
  expect([recording.output, recording.trace(), trace().length]).toEqual(['', [], 1])
})
