// Reads the credential from the Authorization header only: a key in a URL would end up in the logs
// and caches of every proxy on the way (RFC 6750, section 5.3).

const form = /^bearer +(\S+)$/i

/** The bearer token, or null when the header holds none, another scheme or more than one value. */
export const bearerOf = (authorization: string | null): string | null =>
  form.exec(authorization?.trim() ?? '')?.[1] ?? null

/** Whether the URL contains a credential. It is never read from there. */
export const isInAddress = (query: URLSearchParams): boolean =>
  query.has('access_token') || query.has('api_key')
