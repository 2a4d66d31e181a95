// Sends requests to the cluster from outside, through its front proxy, like an integration.
import { readFileSync } from 'node:fs'

export type Access = {
  readonly url: string
  readonly address: string
  readonly authority: string
  readonly keys: readonly string[]
}

export type Answer = { readonly status: number; readonly text: string }

const timeoutMilliseconds = 15_000

/** Sends one request to the front proxy's address, under the public name. */
export function openRequest({ url, address, authority }: Access) {
  const ca = readFileSync(authority, 'utf8')
  const { host } = new URL(url)
  return (path: string, init: BunFetchRequestInit = {}): Promise<Response> =>
    fetch(`https://${address}${path}`, {
      ...init,
      headers: { host, ...(init.headers as Record<string, string>) },
      tls: { ca },
    })
}

export type Request = ReturnType<typeof openRequest>

export function openClient(access: Access) {
  const request = openRequest(access)
  /** Returns null for no response or a truncated one. */
  return async function call(
    key: string,
    path: string,
    write?: { key: string; body?: unknown },
  ): Promise<Answer | null> {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(write && { 'idempotency-key': write.key }),
      ...(write?.body !== undefined && { 'content-type': 'application/json' }),
    }
    try {
      const answer = await request(path, {
        method: write ? 'POST' : 'GET',
        headers,
        ...(write?.body !== undefined && { body: JSON.stringify(write.body) }),
        signal: AbortSignal.timeout(timeoutMilliseconds),
      })
      const text = await answer.text()
      return answer.status < 500 && !text.endsWith('}') ? null : { status: answer.status, text }
    } catch {
      return null
    }
  }
}

export type Call = ReturnType<typeof openClient>
