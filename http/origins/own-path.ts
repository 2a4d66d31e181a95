// The page to open after sign-in, requested in the URL.

const lengthMax = 2000

/** The requested path if it's on this origin, otherwise `/`. */
export function ownPath(given: string | null, origin: string): string {
  if (given === null || given.length > lengthMax || !/^\/(?![/\\])[^\s\\]*$/.test(given)) return '/'
  const url = URL.parse(given, origin)
  // Once dots are resolved, a path may start with two slashes, which lead to another host.
  const isOwn = url?.origin === origin && !url.pathname.startsWith('//')
  return isOwn ? url.pathname + url.search : '/'
}
