import { internalBinding } from '../../loader/internals.ts'

/** The error codes of libuv, by their names: `UV_EINVAL`. */
export const uv = internalBinding<Record<string, number>>('uv')
