// Which pages may call a tool server (the protocol's rule against DNS rebinding). The site is
// public and knows nobody by a cookie, so a page may call on behalf of its reader; but not a page
// that was loaded without encryption, whose name anybody on the way may point at this machine.

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Programs send no Origin at all. */
export function isAllowedOrigin(origin: string | null): boolean {
  if (origin === null) return true
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(origin) || !URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return protocol !== 'http:' || loopback.test(hostname)
}
