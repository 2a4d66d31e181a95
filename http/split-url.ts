/** The path and the query of a URL, split without `URL`, whose parser takes longer than to find a
 *  page. */
export function splitUrl(url: string): { path: string; query: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return { path: '/', query: '' }
  const end = url.indexOf('?', start)
  if (end < 0) return { path: url.slice(start), query: '' }
  return { path: url.slice(start, end), query: url.slice(end) }
}
