// What is wrong with the URL of a webhook endpoint, decided without a look-up. That its host has
// public addresses only is checked when it is registered and before every attempt
// (webhooks/delivery/addresses.ts).

import ipaddr from 'ipaddr.js'

const privateNames = /(^|\.)(localhost|local|internal|home\.arpa)$/
const portsFrom = 1024
const example = 'such as https://example.com/webhooks'

/** `URL` has normalized the address; an IPv6 address has brackets there. */
export const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** The first fault as a sentence; null when there is none. */
export function faultOfWebhookUrl(text: string): string | null {
  // `URL` removes white space and takes a backslash for a slash; other programs do not.
  if (/[\s\\]/.test(text)) return 'url must not contain spaces or backslashes.'
  const url = URL.parse(text)
  if (url === null) return `url must be a valid https URL, ${example}.`
  if (url.protocol !== 'https:') return `url must begin with https://, ${example}.`
  if (url.username !== '' || url.password !== '') return 'url must not contain credentials.'
  if (text.includes('#')) return 'url must not contain a fragment.'
  const port = Number(url.port || 443)
  if (port !== 443 && port < portsFrom)
    return `url must use port 443, or a port from ${portsFrom} up.`
  return faultOfHost(url.hostname)
}

/** RFC 1035, section 2.3.1, with digits in front (RFC 1123, section 2.1). */
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const nameLengthMax = 253

function faultOfHost(host: string): string | null {
  if (ipaddr.isValid(withoutBrackets(host))) return null
  const labels = host.split('.')
  if (labels.length < 2 || privateNames.test(host.replace(/\.$/, '')))
    return 'url must not name a host of a private network.'
  if (labels.at(-1) === '') return 'url must not have a dot at the end of its host.'
  if (host.length > nameLengthMax)
    return `url must have a host of at most ${nameLengthMax} characters.`
  if (labels.every(one => label.test(one)) && /[a-z]/.test(labels.at(-1) ?? '')) return null
  return (
    'url must have a host whose labels are 1 to 63 letters, digits and inner hyphens, ' +
    'such as hooks.example.com.'
  )
}
