// Protects a session in a cookie: a request must come from the module's own origin. The cookie
// alone doesn't prove the origin, because browsers send the cookie with any page's requests and
// share cookies between all ports of a host name. On one machine, a script on the site's pages can
// call a module's port with that module's cookie. The checks need only a method and headers, so Bun
// and node:http can share the checks.

/** The parts of a request that show its origin. */
export type AskedFrom = {
  readonly method: string
  header(name: string): string | null
}

export type OwnOrigin = {
  readonly origin: string
  /** A module cookie's name, and the attributes to set it with. */
  cookie(name: string): SessionCookie
  /** Whether the request has one of the module's cookies. */
  hasCookie(asked: AskedFrom): boolean
  /** Whether one of this origin's pages sent the request. Forms without a session, such as sign-in,
   *  need this check too: another page could sign a person in to an attacker's account. */
  isOwn(asked: AskedFrom): boolean
  /** Whether the session in the cookie may be used: the request has no cookie, comes from one of
   *  this origin's pages, or opens a page in a tab. */
  admits(asked: AskedFrom): boolean
}

export type SessionCookie = {
  readonly name: string
  readonly httpOnly: true
  readonly secure: boolean
  readonly sameSite: 'lax'
  readonly path: '/'
}

/** `module` is the first part of its cookies' names. */
export function ownOrigin(url: string, module: string): OwnOrigin {
  const { origin, protocol } = new URL(url)
  const secure = protocol === 'https:'
  // Browsers accept a __Host- cookie only from this host, over TLS, without a Domain.
  const prefix = `${secure ? '__Host-' : ''}${module}_`
  const carried = new RegExp(`(?:^|;)\\s*(?:__Host-|__Secure-)?${RegExp.escape(module)}[_.-]`)
  const hasCookie = (asked: AskedFrom) => carried.test(asked.header('cookie') ?? '')
  const isOwn = (asked: AskedFrom) => comesFrom(origin, asked)
  return {
    origin,
    cookie: name => ({
      name: `${prefix}${name}`,
      httpOnly: true,
      secure,
      sameSite: 'lax',
      path: '/',
    }),
    hasCookie,
    isOwn,
    admits: asked => !hasCookie(asked) || isOwn(asked) || opensPage(asked),
  }
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

/**
 * Whether one of the origin's pages sent the request or, for a read, a person did from the address
 * bar or a bookmark. Scripts can't set these headers. Sec-Fetch-Site is read first, because with
 * the referrer policy `no-referrer`, browsers send `Origin: null` with a same-origin form.
 */
function comesFrom(origin: string, asked: AskedFrom): boolean {
  const site = asked.header('sec-fetch-site')
  const from = asked.header('origin')
  if (site === 'same-origin') return true
  if (isRead(asked.method)) {
    // The client is a program or an old browser. Another origin can't read the response.
    return (site === null || site === 'none') && (from === null || from === origin)
  }
  return (site === null || site === 'none') && from === origin
}

/** Whether the request opens a page in a tab, rather than in a frame, an image or a script. */
export function opensPage({ method, header }: AskedFrom): boolean {
  return (
    isRead(method) &&
    header('sec-fetch-mode') === 'navigate' &&
    header('sec-fetch-dest') === 'document'
  )
}

/**
 * Headers of every response from an origin with sessions, unless the response has its own. Pages
 * extend the content policy for the resources they load. The referrer policy is `same-origin`,
 * because with `no-referrer`, browsers send `Origin: null` with the page's own forms.
 */
export const ownOriginHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
