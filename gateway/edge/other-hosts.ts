// The hosts of the modules that have their own origin, and where each is forwarded.
import { isLoopback } from '#http/host-check.ts'
import { type ModuleName, moduleNames } from '../settings/origins.ts'
import type { Config } from '../settings/config.ts'

export type OtherHost = {
  readonly host: string
  readonly module: ModuleName
  /** The module's addresses in each gateway. */
  readonly gateways: readonly string[]
}

/** The hosts of modules with their own URLs, in gateways at `ports`. Each gateway's modules are as
 *  far from its port as the first one's. A module that shares a host name with another differs only
 *  in its port, which its own web server has to route to it. */
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
