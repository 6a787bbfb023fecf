import { pbkdf2, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { fuzz } from 'norn'

fuzz('crypto', {}, async () => {
  const order: string[] = []
  const salt = randomBytes(4)
  await Promise.all([
    promisify(pbkdf2)('password', salt, 10, 8, 'sha1').then((key) => order.push(key.toString('hex'))),
    (promisify(scrypt) as (...args: unknown[]) => Promise<Buffer>)('password', salt, 8, { N: 16 }).then(() =>
      order.push('scrypt'),
    ),
    crypto.subtle.digest('SHA-256', salt).then(() => order.push('digest')),
  ])
  if (order[0] === 'scrypt' && order[1] !== 'digest') throw new Error(`${order} of ${salt.toString('hex')}`)
})
