/** What the subjects have in common. */

/** Exchanges over one connection of one server. */
export const EXCHANGES = 200
