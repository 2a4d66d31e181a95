// The URIs where a registered client may receive a code. The library accepts http for any host and
// credentials in a web client's URL, so these rules come first.

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** Browser and system schemes that run or show their content. None has a dot, but listing them
 *  gives a more specific reason. */
const forbiddenSchemes = new Set(
  'javascript data file vbscript blob about view-source ws wss ftp mailto tel sms urn chrome'.split(
    ' ',
  ),
)
/** Schemes without a dot, used by popular agents that register as web clients. Another program that
 *  intercepts a code there can't use it without the verifier (PKCE). */
const schemesOfAgents = new Set(['cursor'])
const lengthMax = 2000
/** The longest name in DNS. */
const hostMax = 253

/** Returns why this redirect URI is refused, or null. */
export function redirectUriFault(uri: unknown): string | null {
  if (typeof uri !== 'string') return 'must be a string'
  if (uri.length > lengthMax) return `must not be longer than ${lengthMax} characters`
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'must be printable ASCII without spaces'
  if (/[\\<>"^`{|}]/.test(uri)) return 'must not contain characters that must be encoded in a URL'
  const url = URL.parse(uri)
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]
  if (url === null || scheme === undefined) return 'must be an absolute URL'
  if (uri.includes('#')) return 'must not contain a fragment'
  if (uri.includes('*')) return 'must not contain a wildcard'
  if (scheme !== scheme.toLowerCase()) return 'must have a lowercase scheme'
  if (url.hostname.length > hostMax) return `must not have a host longer than ${hostMax} characters`
  if (scheme === 'https' || scheme === 'http') return webFault(uri, url)
  return isOfAgent(uri) ? null : privateFault(scheme)
}

function webFault(uri: string, url: URL): string | null {
  const [authority = ''] = uri.slice(url.protocol.length + 2).split(/[/?]/, 1)
  if (!uri.startsWith(`${url.protocol}//`) || authority === '') return 'must have a host'
  if (authority.includes('@')) return 'must not contain a username or password'
  // A URL that a browser parses differently from how it looks misleads its reader.
  if (authority.replace(/:\d*$/, '') !== url.hostname) return 'must have a normalized host'
  if (url.protocol === 'https:' || loopbackHosts.has(url.hostname)) return null
  return 'must use https, or http with 127.0.0.1, [::1] or localhost'
}

function privateFault(scheme: string): string | null {
  if (forbiddenSchemes.has(scheme)) return `must not use the scheme ${scheme}`
  return scheme.includes('.')
    ? null
    : 'must use https, or a private-use scheme that contains a dot, such as com.example.app'
}

/** Matches URIs such as `cursor://anysphere.cursor-mcp/oauth/callback`. */
export const isOfAgent = (uri: string): boolean =>
  schemesOfAgents.has(/^([a-z-]+):\/\/[^/]/.exec(uri)?.[1] ?? '')

/** Matches https at a loopback address, which the library accepts only for web clients. */
export function isSecureLoopback(uri: string): boolean {
  const url = URL.parse(uri)
  return url?.protocol === 'https:' && loopbackHosts.has(url.hostname)
}

export const isPrivateUse = (uri: string): boolean => !/^https?:/.test(uri)
