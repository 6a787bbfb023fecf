/**
 * What is wrong with a text that JSON.parse refused, and where, without the text: a file may be a link to another,
 * whose content is nobody's business.
 */
export function jsonFault(error: unknown): string {
  const { message } = error as Error
  return error instanceof SyntaxError && message.endsWith('is not valid JSON') ? 'an unexpected character' : message
}
