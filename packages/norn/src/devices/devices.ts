/** All kinds of devices: a new one is a folder, and an entry here and in protocols.ts. */
import type { DatabaseTarget } from '../contract/database.ts'
import type { Device } from './device.ts'
import { MariadbDevice } from './mariadb/mariadb-device.ts'
import { PostgresDevice } from './postgres/postgres-device.ts'
import { RedisDevice } from './redis/redis-device.ts'

/** @param own begins the names of what it makes in the server */
export function deviceOf(target: DatabaseTarget, own: string): Device {
  switch (target.kind) {
    case 'mariadb':
      return new MariadbDevice(target, own)
    case 'postgres':
      return new PostgresDevice(target, own)
    case 'redis':
      return new RedisDevice(target, own)
  }
}
