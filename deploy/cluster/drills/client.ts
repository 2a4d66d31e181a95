// Calls the cluster from outside, through its front, as an integration does.
import { readFileSync } from 'node:fs'

export type Access = {
  readonly url: string
  readonly address: string
  readonly authority: string
  readonly keys: readonly string[]
}

export type Answer = { readonly status: number; readonly text: string }

const timeoutMilliseconds = 15_000

export function openClient(access: Access) {
  const ca = readFileSync(access.authority, 'utf8')
  const { host } = new URL(access.url)
  /** Null where no complete answer came: a truncated one counts as none. */
  return async function call(
    key: string,
    path: string,
    write?: { key: string; body: unknown },
  ): Promise<Answer | null> {
    const headers = {
      host,
      authorization: `Bearer ${key}`,
      ...(write && { 'idempotency-key': write.key, 'content-type': 'application/json' }),
    }
    try {
      const answer = await fetch(`https://${access.address}${path}`, {
        method: write ? 'POST' : 'GET',
        headers,
        ...(write && { body: JSON.stringify(write.body) }),
        tls: { ca },
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
