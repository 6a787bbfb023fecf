/** A name or a text as SQL has it. */
export const name = (text: string) => `"${text.replaceAll('"', '""')}"`
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
