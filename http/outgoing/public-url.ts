// Finds faults in a URL that others choose and this server requests, without a DNS lookup. The
// host's addresses are checked before every request (addresses.ts).

import ipaddr from 'ipaddr.js'

const privateNames = /(^|\.)(localhost|local|internal|home\.arpa)$/
const portsFrom = 1024

/** `URL` has normalized the address and keeps an IPv6 address in brackets. */
export const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** The URL's fault, worded to follow the field's name; null if it has none. */
export function faultOfPublicUrl(text: string, example: string): string | null {
  // `URL` removes white space and treats a backslash as a slash; other programs don't.
  if (/[\s\\]/.test(text)) return 'must not contain spaces or backslashes'
  const url = URL.parse(text)
  if (url === null) return `must be a valid https URL, such as ${example}`
  if (url.protocol !== 'https:') return `must begin with https://, such as ${example}`
  if (url.username !== '' || url.password !== '') return 'must not contain credentials'
  if (text.includes('#')) return 'must not contain a fragment'
  const port = Number(url.port || 443)
  if (port !== 443 && port < portsFrom) return `must use port 443, or ${portsFrom} or higher`
  return faultOfHost(url.hostname)
}

/** RFC 1035, section 2.3.1, with leading digits (RFC 1123, section 2.1). */
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const nameLengthMax = 253

function faultOfHost(host: string): string | null {
  if (ipaddr.isValid(withoutBrackets(host))) return null
  const labels = host.split('.')
  if (labels.length < 2 || privateNames.test(host.replace(/\.$/, '')))
    return 'must not name a host on a private network'
  if (labels.at(-1) === '') return 'must not end its host with a dot'
  if (host.length > nameLengthMax) return `must have a host of at most ${nameLengthMax} characters`
  if (labels.every(one => label.test(one)) && /[a-z]/.test(labels.at(-1) ?? '')) return null
  return (
    'must have a host whose labels are 1 to 63 letters, digits and inner hyphens, ' +
    'such as hooks.example.com'
  )
}
