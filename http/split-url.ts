const encoded = /%(?:2d|5f|7e|3\d|[46][1-9a-f]|[57][0-9a])/gi

/** A path without needless escapes: `%5F` is `_` to every client (RFC 3986, section 6.2.2.2). A dot
 *  stays encoded, so no path gains a `..`. */
export const withoutEscapes = (path: string): string =>
  path.includes('%')
    ? path.replaceAll(encoded, escape => String.fromCharCode(Number.parseInt(escape.slice(1), 16)))
    : path

/** Splits a URL into path and query. Avoids `URL`, because parsing takes longer than looking up a
 *  page. */
export function splitUrl(url: string): { path: string; query: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return { path: '/', query: '' }
  const end = url.indexOf('?', start)
  if (end < 0) return { path: url.slice(start), query: '' }
  return { path: url.slice(start, end), query: url.slice(end) }
}
