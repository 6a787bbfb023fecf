/**
 * Addresses of open mode: what a call names lets real sockets through to it. Plain data, so that it
 * crosses process boundaries.
 */

/** A TCP port of a host, or the path of a Unix socket. */
export type OpenAddress =
  | {
      /** As the call named it: `127.0.0.1:5432`, `[::1]:5432`, `localhost:5432`. */
      readonly name: string
      readonly host: string
      /** The addresses that the host stands for. */
      readonly addresses: readonly string[]
      readonly port: number
    }
  | { readonly name: string; readonly path: string }

/** The names of open addresses, in a sentence. */
export function openNames(open: readonly Pick<OpenAddress, 'name'>[]): string {
  return open.map(({ name }) => name).join(', ')
}
