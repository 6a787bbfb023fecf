/** Calls whose answers differ from those of stock Node, with the reason. */
export const ACCEPTED: Readonly<Record<string, string>> = {
  "fs.openSync('file', -1)": 'all flags at once, O_PATH among them, which the overlay does not know',
  "fs/promises.open('file', -1)": 'all flags at once, O_PATH among them, which the overlay does not know',
  "crypto.privateDecrypt('file', '')": 'OpenSSL reports an error that another call has left in its queue',
}
