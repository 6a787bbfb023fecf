/**
 * Files that bundlers let a program import: images, fonts, sounds and style sheets. Their content
 * plays no part in a test.
 *
 * Node refuses them, so only modules that a compiler reads first, TypeScript and JSX, can import
 * them.
 */
const MEDIA = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|mp[34]|webm|wav|ogg|woff2?|ttf|otf|eot|pdf)$/i
const STYLES = /\.(?:css|s[ac]ss|less|styl)$/i

/** The text of an ES module in place of such a file; undefined for any other file. */
export function assetModule(path: string): string | undefined {
  if (MEDIA.test(path)) return `export default ${JSON.stringify(path)}`
  if (!STYLES.test(path)) return undefined
  // Names of classes stand for themselves.
  return path.includes('.module.') ? 'export default new Proxy({}, { get: (_, name) => name })' : "export default ''"
}
