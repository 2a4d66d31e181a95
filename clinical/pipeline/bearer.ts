// Where a credential is read from: the Authorization header and nowhere else (contract/04,
// section 4). A key in an address would be kept by every log and cache on the way.

const form = /^bearer +(\S+)$/i

/** The bearer token, or null when the header holds none, another scheme or more than one value. */
export const bearerOf = (authorization: string | null): string | null =>
  form.exec(authorization?.trim() ?? '')?.[1] ?? null

/** Whether somebody put a credential into the address, where it is never read. */
export const isInAddress = (query: URLSearchParams): boolean =>
  query.has('access_token') || query.has('api_key')
