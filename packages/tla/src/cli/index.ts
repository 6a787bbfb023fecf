/**
 * `norn-tla/cli`: the commands check, follow and validate, to mount in a program made with
 * commander.
 *
 * @internal for norn: may change in any release
 */
export { addTlaCommands, refusedLine } from './commands.ts'
