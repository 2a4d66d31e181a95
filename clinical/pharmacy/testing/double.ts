// A pharmacy for tests: a local server that speaks the protocol, verifies with another
// implementation of Standard Webhooks, creates one order per key, and misbehaves on request.

import { Webhook } from 'standardwebhooks'

export type Order = { reference: string; body: string; transmissions: number }
type Answer = (made: () => Response, request: Request) => Response | Promise<Response>

export function openDouble(secret: () => string) {
  /** Orders by idempotency key: the pharmacy never creates a second order for the same key. */
  const orders = new Map<string, Order>()
  const faults: string[] = []
  /** Responses to the next requests, one after another; if empty, the server follows the protocol.
   */
  const answers: Answer[] = []
  let made = 0
  const take = (key: string, body: string): Response => {
    const known = orders.get(key)
    if (known) {
      known.transmissions++
      if (known.body !== body) {
        faults.push('another body under a known key')
        return Response.json({ detail: 'another body' }, { status: 409 })
      }
      return Response.json({ reference: known.reference })
    }
    const order = { reference: `RX-${++made}`, body, transmissions: 1 }
    orders.set(key, order)
    return Response.json({ reference: order.reference }, { status: 201 })
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      const body = await request.text()
      const key = request.headers.get('idempotency-key') ?? ''
      try {
        new Webhook(secret()).verify(body, Object.fromEntries(request.headers))
      } catch {
        faults.push('a wrong signature')
        return Response.json({ detail: 'wrong signature' }, { status: 401 })
      }
      if (key !== request.headers.get('webhook-id')) faults.push('two ids')
      const answer = answers.shift() ?? (make => make())
      return answer(() => take(key, body), request)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/prescriptions`,
    orders,
    faults,
    answers,
    stop: () => server.stop(true),
  }
}

/** Builds an update, signed by the other implementation. */
export function signedUpdate(
  secret: string,
  update: object,
  { id, at = new Date() }: { id: string; at?: Date },
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(update)
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
  }
}
