// Accepts only requests for known host names: an attacker's host name can resolve to this server's
// address (DNS rebinding), and a malformed host can break path parsing.

export type HostCheck = (host: string | null) => boolean

/** Whether a host name or address is this machine's own. */
export const isLoopback = (name: string) => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(name)

/** Always allowed, because health checks on the same machine and forwarded ports use these
 *  names. */
const loopback = ['localhost', '127.0.0.1', '[::1]']

/** A name without a port allows every port. */
export function createHostCheck(base: string, allowed: readonly string[]): HostCheck {
  const names = new Set([new URL(base).host, ...allowed, ...loopback])
  return host => {
    if (host === null) return false
    const name = host.toLowerCase()
    return names.has(name) || names.has(name.replace(/:\d{1,5}$/, ''))
  }
}
