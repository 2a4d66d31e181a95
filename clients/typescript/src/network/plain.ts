// Replaces network.ts in runtimes without proxy support: browsers and Workers.

import type { Proxy } from './proxy.ts'

export const neverPasses = /Illegal invocation|not a function/

export const worded = (said: string): string => said

export function proxyFor(_: string, setting: string | false | undefined): Proxy | undefined {
  if (!setting) return undefined
  throw new TypeError("This runtime doesn't support proxies. Pass a fetch that does.")
}

export const fetchThrough = (_: Proxy, input: string | Request, init?: RequestInit) =>
  fetch(input, init)
