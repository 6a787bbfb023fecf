/** norn/maelstrom: the package norn-maelstrom. It builds on norn, so norn's sources cannot import it. */
export * from 'norn-maelstrom'
