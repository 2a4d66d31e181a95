// The host names that this server answers to. A page elsewhere can point its own name at our
// address (DNS rebinding), and a router that cuts paths out of URLs can be misled by one.

export type HostCheck = (host: string | null) => boolean

/** A machine's own health check, and every address that a port is forwarded to. */
const loopback = ['localhost', '127.0.0.1', '[::1]']

/** A name without a port is allowed at every port. */
export function createHostCheck(base: string, allowed: readonly string[]): HostCheck {
  const names = new Set([new URL(base).host, ...allowed, ...loopback])
  return host => {
    if (host === null) return false
    const name = host.toLowerCase()
    return names.has(name) || names.has(name.replace(/:\d{1,5}$/, ''))
  }
}
