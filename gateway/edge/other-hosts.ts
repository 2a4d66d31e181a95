// The hosts of modules with their own origin, and where requests to them are forwarded.
import { isLoopback } from '#http/host-check.ts'
import { type ModuleName, moduleNames } from '../settings/origins.ts'
import type { Config } from '../settings/config.ts'

export type OtherHost = {
  readonly host: string
  readonly module: ModuleName
  /** The module's addresses, one per gateway. */
  readonly gateways: readonly string[]
}

/** The hosts of modules with their own URLs, in gateways at `ports`. In each gateway, a module's
 *  port has the same offset from the gateway's port. Modules that share a host name differ only in
 *  port, so the operator's web server has to route them. */
export function otherHosts(
  { baseUrl, origins, port: first }: Pick<Config, 'baseUrl' | 'origins' | 'port'>,
  ports: readonly number[] = [first],
): OtherHost[] {
  const nameOf = (url: string | undefined) => (url === undefined ? '' : new URL(url).hostname)
  const names = [baseUrl, ...moduleNames.map(name => origins[name].url)].map(nameOf)
  return moduleNames.flatMap(name => {
    const { url, port } = origins[name]
    const host = nameOf(url)
    const isShared = names.filter(each => each === host).length > 1
    if (host === '' || isLoopback(host) || isShared) return []
    const gateways = ports.map(each => `127.0.0.1:${each + port - first}`)
    return [{ host, module: name, gateways }]
  })
}
