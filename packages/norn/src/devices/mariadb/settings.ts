/** How norn starts a server of MariaDB: nothing is to survive, nothing happens by itself, and little memory is used. */
import { join } from 'node:path'

const SETTINGS = [
  'skip-networking',
  'skip-log-bin',
  'skip-name-resolve',
  'performance-schema=OFF',
  'innodb-buffer-pool-size=16M',
  'innodb-log-file-size=4M',
  'innodb-data-file-path=ibdata1:4M:autoextend',
  'innodb-autoextend-increment=1',
  'innodb-temp-data-file-path=ibtmp1:4M:autoextend',
  'innodb-flush-log-at-trx-commit=0',
  'innodb-flush-method=nosync',
  'innodb-doublewrite=OFF',
  'innodb-stats-persistent=ON',
  'innodb-stats-auto-recalc=OFF',
  'innodb-stats-on-metadata=OFF',
  'innodb-adaptive-hash-index=OFF',
  'innodb-buffer-pool-dump-at-shutdown=OFF',
  'innodb-buffer-pool-load-at-startup=OFF',
  'innodb-read-io-threads=1',
  'innodb-write-io-threads=1',
  'innodb-purge-threads=1',
  // It notes when a wait for a latch began by the clock of the session, and aborts by that of the machine.
  'innodb-fatal-semaphore-wait-threshold=4294967295',
  'key-buffer-size=1M',
  'aria-pagecache-buffer-size=1M',
  'aria-log-file-size=8M',
  'event-scheduler=OFF',
  'thread-handling=one-thread-per-connection',
  'sync-frm=OFF',
  'max-connections=200',
  'table-definition-cache=2000',
]

/**
 * @param data the folder of its data
 * @param socket where it listens
 */
export function serverFlags(data: string, socket: string): string[] {
  const own = [
    `datadir=${data}`,
    `socket=${socket}`,
    `pid-file=${join(data, 'pid')}`,
    `log-error=${join(data, 'log.err')}`,
  ]
  return ['--no-defaults', ...[...SETTINGS, ...own].map((setting) => `--${setting}`)]
}
