// An ACP client for tests: its checkout requests and its buyers.
import { type AcpDate, acpItem, acpSessions } from '#contract/site/acp.ts'
import { randomBytes } from '#database/clock.ts'
import type { AgentsFixture } from '#gateway/testing/agents.ts'
import { faultsBySchema } from './acp-schemas.ts'

export type AcpRequest = {
  body?: unknown
  key?: string
  date?: string
  headers?: Record<string, string>
}
export type Body = Record<string, any> // oxlint-disable-line no-explicit-any

export const items = [{ id: acpItem.id, quantity: 1 }]
export const newKey = () => crypto.randomUUID()

export async function post(context: AgentsFixture, path: string, sent: AcpRequest = {}) {
  const { body, key, date, headers = {} } = sent
  const response = await context.ask(`${acpSessions}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'booker/2',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(date === undefined ? {} : { 'api-version': date }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const { status } = response
  return { status, headers: response.headers, text, body: JSON.parse(text) as Body }
}

export async function get(
  context: AgentsFixture,
  path: string,
  headers: AcpRequest['headers'] = {},
) {
  const response = await context.ask(`${acpSessions}${path}`, { headers })
  const { status } = response
  return { status, headers: response.headers, body: (await response.json()) as Body }
}

export const create = async (context: AgentsFixture): Promise<string> =>
  (await post(context, '', { body: { items } })).body['id']

/** A buyer no other test uses, with an email address outside reserved domains. */
export const newBuyer = () => {
  const drawn = Buffer.from(randomBytes(5)).toString('hex')
  return { first_name: 'Ada', email: `ada-${drawn}@rivera-clinic.com` }
}

/** Validates the order separately, because a session's schema doesn't allow an order. */
export async function faultsOf(date: AcpDate, { order, ...session }: Body): Promise<string[]> {
  const faults = await faultsBySchema(date, 'CheckoutSession', session)
  return order === undefined ? faults : [...faults, ...(await faultsBySchema(date, 'Order', order))]
}
