// The modules' origins. The site and the API use BASE_URL and PORT. Each other module has its own
// URL and port, so a script on one origin can't affect another.
import { isLoopback } from '#http/host-check.ts'
import { ConfigError, originOf, wrong } from './config-error.ts'

/** Modules with their own origin, in port order. */
export const moduleNames = ['auth', 'mcp', 'portal', 'console'] as const
export type ModuleName = (typeof moduleNames)[number]

/** The public URL, if set, and the port to listen on; 0 means any free port. */
type ModuleSettings = { readonly url: string | undefined; readonly port: number }
export type OriginSettings = Readonly<Record<ModuleName, ModuleSettings>>

export type ModuleUrls = Readonly<Record<ModuleName, string>>

const variables = {
  auth: ['AUTH_URL', 'AUTH_PORT'],
  mcp: ['MCP_URL', 'MCP_PORT'],
  portal: ['PORTAL_URL', 'PORTAL_PORT'],
  console: ['CONSOLE_URL', 'CONSOLE_PORT'],
} as const satisfies Record<ModuleName, readonly [url: string, port: string]>

const urlVariable = (name: ModuleName): string => variables[name][0]

/** The settings that give another process the same URLs. */
export const urlVariables = (urls: ModuleUrls): Record<string, string> =>
  Object.fromEntries(moduleNames.map(name => [urlVariable(name), urls[name]]))

export const portVariables = (origins: OriginSettings): readonly [name: string, port: number][] =>
  moduleNames.map(name => [variables[name][1], origins[name].port])

type Text = (name: string) => string | undefined
type SiteSettings = {
  readonly port: number
  readonly baseUrl: string | undefined
  readonly allowedHosts: readonly string[]
}

export function originsOf(text: Text, site: SiteSettings): OriginSettings {
  const settings = moduleNames.map((name, at): [ModuleName, ModuleSettings] => {
    const [urlName, portName] = variables[name]
    const next = site.port === 0 ? 0 : site.port + at + 1
    return [name, { url: urlOf(name, text(urlName)), port: portOf(portName, text(portName), next) }]
  })
  const origins: OriginSettings = Object.freeze(Object.fromEntries(settings) as OriginSettings)
  checkPorts(text, site.port, origins)
  checkOrigins(site, origins)
  checkHosts(site, origins)
  return origins
}

/** The public URLs, once the ports are known. */
export function moduleUrls(
  origins: OriginSettings,
  ports: Readonly<Record<ModuleName, number>>,
): ModuleUrls {
  const urls = moduleNames.map(name => [name, origins[name].url ?? localUrl(name, ports[name])])
  return Object.fromEntries(urls) as ModuleUrls
}

/** Clients compare the tool server's URL byte by byte. A URL with a path has no trailing slash,
 *  because a library could add or remove a slash. */
const localUrl = (name: ModuleName, port: number) =>
  `http://localhost:${port}${name === 'mcp' ? '/mcp' : ''}`

function urlOf(name: ModuleName, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const variable = urlVariable(name)
  const example = `https://${name}.example.com`
  const url = name === 'mcp' ? toolServerUrl(value) : originOf(variable, value, example)
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || isLoopback(hostname) || hostname.endsWith('.localhost')) return url
  throw new ConfigError(
    `${variable} must begin with https, but is ${JSON.stringify(value)}: it carries passwords, sessions and tokens, and only this machine may be called without TLS`,
  )
}

function toolServerUrl(value: string): string {
  const parsed = URL.parse(value)
  const isPlain =
    parsed !== null &&
    /^https?:$/.test(parsed.protocol) &&
    `${parsed.search}${parsed.hash}${parsed.username}${parsed.password}` === '' &&
    !/.\/$/.test(parsed.pathname)
  if (isPlain) return parsed.pathname === '/' ? parsed.origin : parsed.href
  const must = 'a URL without a query or a trailing slash'
  throw wrong('MCP_URL', `${must}, such as https://mcp.example.com/mcp`, value)
}

function portOf(name: string, value: string | undefined, fallback: number): number {
  if (value === undefined) {
    if (fallback <= 65_535) return fallback
    throw new ConfigError(`${name} must be set, because there is no port ${fallback} after PORT`)
  }
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  throw wrong(name, 'a whole number from 0 to 65535', value)
}

function checkPorts(text: Text, port: number, origins: OriginSettings): void {
  const ports: [name: string, port: number][] = [
    ['PORT', port],
    ...portVariables(origins),
    ...['METRICS_PORT', 'WORKER_METRICS_PORT'].map((name): [string, number] => [
      name,
      Number(text(name) ?? 0),
    ]),
  ]
  const taken = ports.filter(([, each]) => each !== 0)
  refuseEqual(taken, 'ports')
}

/** Checks everything that is known before the ports open. */
function checkOrigins({ port, baseUrl }: SiteSettings, origins: OriginSettings): void {
  const localhost = (at: number) => (at === 0 ? [] : [`http://localhost:${at}`])
  const site = baseUrl === undefined ? localhost(port) : [baseUrl]
  const all = [
    ...site.map((origin): [string, string] => ['BASE_URL', origin]),
    ...moduleNames.flatMap(name => {
      const { url, port: own } = origins[name]
      const known = url === undefined ? localhost(own) : [new URL(url).origin]
      return known.map((origin): [string, string] => [urlVariable(name), origin])
    }),
  ]
  refuseEqual(all, 'origins')
}

function refuseEqual<T>(all: readonly (readonly [name: string, value: T])[], what: string): void {
  for (const [at, [name, value]] of all.entries()) {
    const [other] = all.slice(0, at).find(([, earlier]) => earlier === value) ?? []
    if (other === undefined) continue
    throw new ConfigError(`${other} and ${name} must be different ${what}, but both are ${value}`)
  }
}

/** Checks that no other module's host also serves the site. */
function checkHosts({ allowedHosts }: SiteSettings, origins: OriginSettings): void {
  for (const name of moduleNames) {
    const { url } = origins[name]
    const { host, hostname } = new URL(url ?? 'http://localhost:0')
    const clashing = allowedHosts.find(each => url && (each === host || each === hostname))
    if (clashing === undefined || isLoopback(hostname)) continue
    throw new ConfigError(
      `ALLOWED_HOSTS must not name ${clashing}: it is the host of ${urlVariable(name)}, and the site is not served there`,
    )
  }
}
