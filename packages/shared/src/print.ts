/** The output of commands: the one place that writes it, so that nothing foreign reaches a terminal or a log raw. */
import { printed } from './printable.ts'

export function print(text: string): void {
  console.log(printed(text))
}

export function printError(text: string): void {
  console.error(printed(text))
}
