// What protects a session that is kept in a cookie: the request must come from the module's own
// origin. A cookie alone does not say that. Browsers send it with requests of any page, and they
// share it between all ports of a host name, so on one machine a script of the site reaches the
// port of a module with that module's cookie. Pure, over a method and headers, for the requests of
// Bun and of node:http.

/** A request, as far as its origin is concerned. */
export type AskedFrom = {
  readonly method: string
  header(name: string): string | null
}

export type OwnOrigin = {
  readonly origin: string
  /** The name of one of the module's cookies, and the attributes to set it with. */
  cookie(name: string): SessionCookie
  /** Whether the request carries a cookie of the module. */
  hasCookie(asked: AskedFrom): boolean
  /** Whether a page of this origin sent it. A form without a session, such as that of sign-in, asks
   *  this too: another page could sign a person in to its own account choice. */
  isOwn(asked: AskedFrom): boolean
  /** Whether the session in its cookie may be used: it has none, or a page of this origin sent it,
   *  or it opens a page in a tab. */
  admits(asked: AskedFrom): boolean
}

export type SessionCookie = {
  readonly name: string
  readonly httpOnly: true
  readonly secure: boolean
  readonly sameSite: 'lax'
  readonly path: '/'
}

/** `module`: the first part of its cookies' names. */
export function ownOrigin(url: string, module: string): OwnOrigin {
  const { origin, protocol } = new URL(url)
  const secure = protocol === 'https:'
  // With __Host- a browser accepts it from this host only, over TLS only, without a Domain.
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
 * Whether a page of the origin sent the request, or for a read the person: by the address bar or a
 * bookmark. Scripts cannot set these headers. With the referrer policy `no-referrer` a browser
 * sends `Origin: null` with a form of the same origin, so Sec-Fetch-Site is read first.
 */
function comesFrom(origin: string, asked: AskedFrom): boolean {
  const site = asked.header('sec-fetch-site')
  const from = asked.header('origin')
  if (site === 'same-origin') return true
  if (isRead(asked.method)) {
    // A program, or an old browser: no header lets another origin read the answer.
    return (site === null || site === 'none') && (from === null || from === origin)
  }
  return (site === null || site === 'none') && from === origin
}

/** A link of any page may open a page in a tab; a frame, an image or a script may not. */
export function opensPage({ method, header }: AskedFrom): boolean {
  return (
    isRead(method) &&
    header('sec-fetch-mode') === 'navigate' &&
    header('sec-fetch-dest') === 'document'
  )
}

/**
 * Headers of every answer of an origin with sessions, unless the answer has its own. The pages add
 * what they load to the policy. `same-origin` and not `no-referrer`: with the latter, a form of the
 * page itself would be sent with `Origin: null`.
 */
export const ownOriginHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
