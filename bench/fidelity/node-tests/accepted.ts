/** Where norn differs from stock Node on a test of Node, by its name, and why that is accepted. */
export const ACCEPTED: Readonly<Record<string, string>> = {}
