import { expect, test } from 'vitest'
import { faultName } from '../../src/contract/execution.ts'

test('a fault is counted by what it is, without its details', () => {
  const counted = {
    '3 of 10 bytes': 'short',
    ENOSPC: 'ENOSPC',
    'reset after 3 of 10 bytes': 'reset',
    'restarts behind COMMIT': 'restarts',
    'fails over without COMMIT': 'fails over',
  }
  for (const [fault, name] of Object.entries(counted)) expect(faultName(fault)).toBe(name)
})
