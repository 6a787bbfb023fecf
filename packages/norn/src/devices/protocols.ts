/** What the world knows of each kind of device; `devices.ts` has what their thread does. */
import type { DatabaseKind } from '../contract/database.ts'
import type { Protocol } from './device.ts'
import { mariadbProtocol } from './mariadb/conversation.ts'
import { postgresProtocol } from './postgres/conversation.ts'
import { redisProtocol } from './redis/conversation.ts'

export const PROTOCOLS: Readonly<Record<DatabaseKind, Protocol>> = {
  mariadb: mariadbProtocol,
  postgres: postgresProtocol,
  redis: redisProtocol,
}
