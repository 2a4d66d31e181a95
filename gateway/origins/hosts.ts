// Finds the origin that serves a host. Every listener refuses the others' hosts, so only one module
// serves an origin, even behind a proxy that routes several hosts to one machine or the wrong port.
import { Problem } from '#contract/problems.ts'
import { type ModuleName, moduleNames, type ModuleUrls } from '../settings/origins.ts'

export type OriginName = 'site' | ModuleName

const originTitles: Readonly<Record<OriginName, string>> = {
  site: 'the site and the API',
  auth: 'the authorization server',
  mcp: 'the tool server',
  portal: 'the portal',
  console: 'the console',
}

type ServedHost = {
  /** The public origin of the site and the API. */
  readonly base: string
  readonly urls: ModuleUrls
  readonly ports: Readonly<Record<OriginName, number>>
}

type Header = (name: string) => string | null

export type Hosts = {
  /** The error if another origin serves this host or, for a module, if none does. Hosts that only
   *  the site recognizes (ALLOWED_HOSTS) are left to its own check. */
  refusalAt(name: OriginName, header: Header): Problem | undefined
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

export function openHosts({ base, urls, ports }: ServedHost): Hosts {
  const names: readonly OriginName[] = ['site', ...moduleNames]
  const publicUrl = (name: OriginName) => (name === 'site' ? base : urls[name])
  const owners = new Map<string, OriginName>()
  for (const name of names) {
    for (const loopback of loopbackNames) owners.set(`${loopback}:${ports[name]}`, name)
  }
  // A public host takes precedence, because with forwarded ports the external port may equal
  // another module's internal port.
  for (const name of names) {
    const { host, hostname, port, protocol } = new URL(publicUrl(name))
    owners.set(host, name)
    if (port === '') owners.set(`${hostname}:${protocol === 'https:' ? 443 : 80}`, name)
  }
  const ownerOf = (host: string | null) => owners.get(host?.toLowerCase() ?? '')
  return {
    refusalAt(name, header) {
      const isOther = (owner: OriginName | undefined) => owner !== undefined && owner !== name
      const host = ownerOf(header('host'))
      // Some proxies send the public host in Host, and some in X-Forwarded-Host.
      const forwarded = header('x-forwarded-host')?.split(',')
      const other = isOther(host)
        ? host
        : forwarded?.map(each => ownerOf(each.trim())).find(owner => isOther(owner))
      if (other !== undefined) {
        const at = new URL(publicUrl(other)).origin
        return new Problem('misdirected_request', {
          detail: `This is ${originTitles[name]}. Requests for this host belong to ${originTitles[other]}.`,
          hint: `Send it to ${at}. Behind a proxy, the operator must route each host to its module's port.`,
        })
      }
      if (host !== undefined || name === 'site') return undefined
      return new Problem('misdirected_request', {
        detail: 'This server does not serve the host in the Host header.',
        hint: `Use ${new URL(publicUrl(name)).origin}.`,
      })
    },
  }
}
