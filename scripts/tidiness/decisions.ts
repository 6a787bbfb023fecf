/**
 * Decisions by a text for people: by the message of an error, the name of an error or a label.
 */
import type { Problem, SourceFile } from './sources.ts'

/** The files that may decide by such a text, each with the reason why nothing else tells. */
const READERS: Readonly<Record<string, string>> = {
  'packages/norn/src/contract/stack-overflow.ts': 'V8 marks a stack overflow by its message alone',
  'packages/norn/src/world/addons.ts': 'a loader of addons that tries several paths quotes the error of each',
  'packages/norn/src/contract/subject.ts': 'parses the labels of choices that come from a file',
  'packages/norn/src/world/trace/causal-order.ts': 'a trace keeps the causes of a step in its label alone',
  'packages/norn/src/property/fast-check/assertion.ts': 'fast-check throws a plain Error for a false predicate',
  'packages/norn/src/tape/codec.ts': 'choices of version 1 have labels and no kinds',
  'packages/shared/src/json-fault.ts': 'only the message says whether JSON.parse quotes the text',
  'packages/tla/src/evaluate/failures.ts': 'V8 marks a stack overflow by its message alone',
}

const TEXT = String.raw`\b(?:label|message|errorName|(?:error|thrown|cause|failure)\.name)\b`
const DECISIONS: readonly RegExp[] = [
  // Splitting a message into lines is layout.
  new RegExp(String.raw`${TEXT}\??\.(?:match|matchAll|search|includes|startsWith|endsWith|indexOf|lastIndexOf)\(`),
  /\blabel\??\.(?:replace|slice|split)\(/,
  // A test for the type or for the empty text decides nothing by what the text says.
  new RegExp(String.raw`(?<!typeof [\w.!?]*)${TEXT} [!=]== (?:['"\`](?!['"\`])|[A-Z])`),
  new RegExp(String.raw`(?:/[a-z]*|[A-Z_]+)\.(?:test|exec)\((?:String\()?[\w.!?]*?${TEXT}`),
  new RegExp(String.raw`\bswitch \([\w.!?]*?${TEXT}\)`),
]

export function decisionsByText(files: readonly SourceFile[]): Problem[] {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => {
      const isComment = /^\s*(?:\/\/|\/?\*)/.test(line)
      if (path in READERS || isComment || !DECISIONS.some((decision) => decision.test(line))) return []
      return [{ where: `${path}:${index + 1}`, what: `\`${line.trim()}\`` }]
    }),
  )
}
