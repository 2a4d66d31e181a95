// Which origins may use a tool server (the protocol's rule against DNS rebinding). Tool servers use
// no cookies, so any encrypted page may use one. A page loaded without encryption may not, because
// an attacker can point its host name at this machine.

import { isLoopback } from '#http/host-check.ts'

/** Clients other than browsers send no Origin. */
export function isAllowedOrigin(origin: string | null): boolean {
  if (origin === null) return true
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(origin) || !URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return protocol !== 'http:' || isLoopback(hostname)
}
