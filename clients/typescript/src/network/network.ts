// Proxies and connection failures on servers. Builds for browsers and Workers use plain.ts instead.

import { requestThrough } from './node-proxy.ts'
import type { Proxy } from './proxy.ts'
import { environment, isLoopback, runtime } from '../runtime.ts'

/**
 * The proxy for a request, from the client's option or the environment. Undefined if the request
 * needs no proxy.
 */
export function proxyFor(target: string, setting: string | false | undefined): Proxy | undefined {
  if (setting === false || setting === '') return undefined
  if (setting !== undefined) return proxyOf(setting, 'proxy')
  const { protocol, hostname, port } = new URL(target)
  const isSecure = /^(https|wss):$/.test(protocol)
  for (const name of isSecure ? ['HTTPS_PROXY', 'ALL_PROXY'] : ['HTTP_PROXY']) {
    const text = environment(name) ?? environment(name.toLowerCase())
    if (text === undefined || isExempt(hostname, port)) continue
    const proxy = proxyOf(text, name)
    // A request to this machine may be unencrypted, so it never goes through another machine's
    // proxy.
    return isLoopback(hostname) && !isLoopback(proxy.url.hostname) ? undefined : proxy
  }
  return undefined
}

function proxyOf(text: string, name: string): Proxy {
  const address = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:') {
    throw new TypeError(`${name} must be a URL such as http://proxy.example:3128`)
  }
  const [user, password] = [url.username, url.password].map(decodeURIComponent)
  const pair = url.username === '' ? undefined : `Basic ${btoa(`${user}:${password}`)}`
  return { url, authorization: pair }
}

function isExempt(host: string, port: string): boolean {
  const given = environment('NO_PROXY') ?? environment('no_proxy') ?? ''
  return given
    .toLowerCase()
    .split(/[\s,]+/)
    .some(entry => {
      const [, name = '', number] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (entry === '*') return true
      const fits = number === undefined || port === '' || number === port
      return name !== '' && fits && (host === name || host.endsWith(`.${name}`))
    })
}

/** Like fetch, but through the proxy. */
export function fetchThrough(proxy: Proxy, input: string | Request, init: RequestInit = {}) {
  const { Bun, Deno, process } = runtime
  if (Bun) return fetch(input, { ...init, proxy: proxy.url.href } as RequestInit)
  if (Deno?.createHttpClient) {
    const { origin, href, username, password } = proxy.url
    const basicAuth = {
      username: decodeURIComponent(username),
      password: decodeURIComponent(password),
    }
    const way = { url: origin, ...(proxy.authorization ? { basicAuth } : {}) }
    const client = (denoClients[href] ??= Deno.createHttpClient({ proxy: way }))
    return fetch(input, { ...init, client } as RequestInit)
  }
  if (!process?.versions?.['node']) {
    throw new TypeError("This runtime doesn't support proxies. Pass a fetch that does.")
  }
  return typeof input === 'string'
    ? requestThrough(proxy, input, init)
    : requestThrough(proxy, input.url, input)
}

const denoClients: Record<string, unknown> = {}

/** Failures that a retry can't fix: a wrong host name, certificate, proxy or `fetch`. */
export const neverPasses =
  /ENOTFOUND|CERT|certificate|SELF_SIGNED|UNABLE_TO|ALTNAME|UnknownIssuer|WRONG_VERSION|PROXY_4|tunnel: 4|proxy authentication|Illegal invocation|not a function|not known/i

const reasons: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/ENOTFOUND|not known/, 'DNS lookup failed'],
  [/EAI_AGAIN/, 'DNS lookup failed temporarily'],
  [/ECONNREFUSED|ConnectionRefused|Connection refused/, 'connection refused'],
  [/UND_ERR_SOCKET|ECONNRESET|ConnectionClosed/, 'the server closed the connection'],
  [/PROXY_407|tunnel: 407|proxy authentication/, 'the proxy requires a user name and password'],
  [/PROXY_|tunnel/, 'the proxy refused the connection'],
  [
    /CERT|certificate|SELF_SIGNED|UNABLE_TO|ALTNAME|UnknownIssuer/i,
    'the certificate is not trusted; set NODE_EXTRA_CA_CERTS to trust your own',
  ],
]

/** The runtime's error text, preceded by a plain explanation if we have one. */
export function worded(said: string): string {
  const [, words] = reasons.find(([pattern]) => pattern.test(said)) ?? []
  return words === undefined ? said : `${words}: ${said}`
}
