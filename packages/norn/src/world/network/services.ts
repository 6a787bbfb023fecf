/** Names of TCP services by port, as `/etc/services` of Debian has them; that of the machine has no part in it. */
const SERVICES: Readonly<Record<number, string>> = {
  7: 'echo',
  20: 'ftp-data',
  21: 'ftp',
  22: 'ssh',
  23: 'telnet',
  25: 'smtp',
  53: 'domain',
  80: 'http',
  110: 'pop3',
  143: 'imap2',
  389: 'ldap',
  443: 'https',
  465: 'submissions',
  587: 'submission',
  636: 'ldaps',
  993: 'imaps',
  995: 'pop3s',
  1433: 'ms-sql-s',
  3306: 'mysql',
  5432: 'postgresql',
  5672: 'amqp',
  6379: 'redis',
  8080: 'http-alt',
}

/** The name of the service at a port; the port if it has none. */
export function serviceName(port: number): string {
  return SERVICES[port] ?? `${port}`
}
