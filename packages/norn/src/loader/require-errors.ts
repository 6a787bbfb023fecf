/** Node's errors of `require`, with the stack of the modules that led there. */
import type { CommonJsModule } from './commonjs-module.ts'

export function nodeError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

function requireStack(from: CommonJsModule | undefined): string[] {
  const stack: string[] = []
  for (let each = from; each && !stack.includes(each.filename ?? each.id); each = each.parent) {
    stack.push(each.filename ?? each.id)
  }
  return stack
}

export function stackText(from: CommonJsModule | undefined): string {
  const stack = requireStack(from)
  return stack.length > 0 ? `\nRequire stack:\n- ${stack.join('\n- ')}` : ''
}

export function withRequireStack(error: unknown, from: CommonJsModule | undefined): unknown {
  const found = error as { code?: string; message: string; stack?: string; requireStack?: string[] }
  if (found?.code !== 'MODULE_NOT_FOUND' || !Array.isArray(found.requireStack)) return error
  const { message } = found
  found.message = message.split('\nRequire stack:')[0]! + stackText(from)
  // The stack begins with the message.
  found.stack = String(found.stack).replace(message, () => found.message)
  found.requireStack = requireStack(from)
  return error
}
