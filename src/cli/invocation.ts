/** How a person calls norn here, for the commands that are printed. */

/** A command line that calls norn with these arguments, as it was called now. */
export function commandFor(...args: readonly string[]): string {
  const fromSource = process.argv[1]?.endsWith('.ts') ?? false
  return [fromSource ? 'npm run -s norn --' : 'npx norn', ...args.map(quote)].join(' ')
}

function quote(argument: string): string {
  return /^[\w./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}
