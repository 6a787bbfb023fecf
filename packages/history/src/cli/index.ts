/**
 * `norn-history/cli`: the command check, to mount in a program made with commander.
 *
 * @internal for norn: may change in any release
 */
export { addHistoryCommands, refusedLine } from './commands.ts'
