export function line(parts: readonly unknown[]): string
