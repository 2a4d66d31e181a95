// The response headers that the receiver's developers see: all names, and the values that explain
// the response. Other values may contain credentials, such as a cookie.

export type ShownHeaders = Readonly<Record<string, string | null>>

const shownValues = new Set([
  'allow',
  'cf-ray',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'location',
  'request-id',
  'retry-after',
  'server',
  'transfer-encoding',
  'via',
  'www-authenticate',
  'x-amzn-requestid',
  'x-cache',
  'x-powered-by',
  'x-request-id',
])
const namesMax = 40
const nameLengthMax = 64
const valueLengthMax = 200

/** Redirects aren't followed, so their target is shown, without its query, which may contain
 *  secrets. */
const valueOf = (name: string, value: string): string =>
  (name === 'location' ? (value.split(/[?#]/)[0] ?? '') : value).slice(0, valueLengthMax)

export function shownHeaders(headers: Headers): ShownHeaders {
  const shown: Record<string, string | null> = {}
  let left = namesMax
  for (const [name, value] of headers) {
    if (left-- === 0) break
    shown[name.slice(0, nameLengthMax)] = shownValues.has(name) ? valueOf(name, value) : null
  }
  return shown
}
