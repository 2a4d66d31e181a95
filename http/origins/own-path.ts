// The page to open after signing in, which the page's URL may request.

const lengthMax = 2000

/** A path of the origin, whatever was requested; `/` where that is none. */
export function ownPath(given: string | null, origin: string): string {
  if (given === null || given.length > lengthMax || !/^\/(?![/\\])[^\s\\]*$/.test(given)) return '/'
  const url = URL.parse(given, origin)
  // With its dots resolved it may start with two slashes, which lead to another host.
  const isOwn = url?.origin === origin && !url.pathname.startsWith('//')
  return isOwn ? url.pathname + url.search : '/'
}
