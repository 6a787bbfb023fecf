/** The ports that the system gives to sockets that ask for none, in order. Pure. */

/** Linux's default range (net.ipv4.ip_local_port_range); it draws at random, the world counts. */
const FIRST_PORT = 32768
const LAST_PORT = 60999

export class EphemeralPorts {
  #next = FIRST_PORT

  /** The next free port. */
  next(isBound: (port: number) => boolean): number {
    for (let tries = FIRST_PORT; tries <= LAST_PORT; tries++) {
      const port = this.#next
      this.#next = port === LAST_PORT ? FIRST_PORT : port + 1
      if (!isBound(port)) return port
    }
    throw new Error('no port is free')
  }

  reset(): void {
    this.#next = FIRST_PORT
  }
}
