/**
 * Writes the JSON schema of configurations, for editors: of what the key `norn` of a package.json holds.
 *
 *     node -C norn-source scripts/write-schema.ts dist/configuration.schema.json
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type OptionTable, rowsOf } from '../src/options/option.ts'
import { OPTIONS } from '../src/options/table.ts'

/** The schema of the options that a configuration may name. */
export function configurationSchema(table: OptionTable): object {
  const rows = Object.entries(rowsOf(table, ({ configured }) => configured !== undefined))
  const properties = rows.map(([name, { kind, configured, meaning, help }]) => {
    const description = configured === true ? (meaning ?? help!) : configured!
    return [name, { ...kind.schema, description: plain(description) }] as const
  })
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of norn',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  }
}

/** Markdown without its links. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\[(.*?)\]\(.*?\)/g, '$1')
}

if (import.meta.main === true || process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(process.argv[2]!, `${JSON.stringify(configurationSchema(OPTIONS), null, 2)}\n`)
