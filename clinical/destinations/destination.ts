// A destination as the API returns it, its address, and the checks shared by destination
// operations. A destination is a row in webhook_endpoints with a kind other than `https`. The row
// contains its secret and settings, and the worker delivers to it as to any endpoint.

import { importPKCS8 } from 'jose'
import type { InputOf } from '#contract/operation.ts'
import {
  type DestinationKind,
  destinationKinds,
  type destinations,
  secretMember,
} from '#contract/preview/destinations.ts'
import type { Fault } from '#contract/faults.ts'
import { invalid } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import type { Principal } from '#auth/principal.ts'
import { secretPurpose } from '../pipeline/encrypted-members.ts'
import type { CallServices } from '../services.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'

const ofKind = (kind: DestinationKind): Statement => sql`case kind when ${kind} then settings end`

export const destinationColumns = sql`
  id, kind, url, ${ofKind('sqs')} as sqs, ${ofKind('eventbridge')} as eventbridge,
  ${ofKind('pubsub')} as pubsub, ${ofKind('event_hubs')} as event_hubs, ${ofKind('kafka')} as kafka,
  ${ofKind('s3')} as s3, event_types, include_resource, description, status,
  iso(disabled_at) as disabled_at, iso(created_at) as created_at, iso(updated_at) as updated_at`

/** This integration's destination with that ID, as the tail of a select. */
export const destinationOf = (id: string): Statement =>
  sql`from webhook_endpoints where tenant = ${integrationTenant} and id = ${id} and kind <> 'https'`

/** The maximum number of deliveries in one attempt. It's the service's limit for a request or, for
 *  a store, the number that can be written and recorded well within a lease. */
export const batchMax: Readonly<Record<DestinationKind, number>> = {
  sqs: 10,
  eventbridge: 10,
  pubsub: 100,
  event_hubs: 100,
  kafka: 100,
  s3: 1000,
}

type DestinationSettings = Pick<InputOf<typeof destinations.createDestination>, DestinationKind>

/** The settings as stored, with the secret encrypted. */
export type Configured = {
  kind: DestinationKind
  url: string
  settings: string
  secret: string
}

const addresses: {
  readonly [K in DestinationKind]: (given: NonNullable<DestinationSettings[K]>) => string
} = {
  sqs: one => `https://sqs.${one.region}.${domainOf(one.region)}/${one.account}/${one.queue}`,
  eventbridge: one => `https://events.${one.region}.${domainOf(one.region)}/`,
  pubsub: one =>
    `https://pubsub.googleapis.com/v1/projects/${one.project}/topics/${one.topic}:publish`,
  event_hubs: one => `https://${one.namespace}.servicebus.windows.net/${one.hub}/messages`,
  kafka: one => `${withoutSlash(one.url)}/topics/${one.topic}`,
  s3: one => {
    const base = one.url ?? `https://s3.${one.region}.${domainOf(one.region)}`
    return `${withoutSlash(base)}/${one.bucket}/${one.prefix ?? ''}`
  },
}
const domainOf = (region: string) =>
  region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
const withoutSlash = (url: string) => url.replace(/\/+$/, '')

const fault = (pointer: string, code: Fault['code'], message: string) =>
  invalid([{ pointer, code, message }])

const chosenIn = (given: DestinationSettings): DestinationKind[] =>
  destinationKinds.filter(kind => given[kind] !== undefined)

const addressOf = <K extends DestinationKind>(
  kind: K,
  given: NonNullable<DestinationSettings[K]>,
): string => addresses[kind](given)

/** Returns the settings for the request's kind, checked and encrypted; null if there are none. */
export async function configured(
  principal: Principal,
  given: DestinationSettings,
  { webhooks }: CallServices,
): Promise<Configured | null> {
  const [kind, another] = chosenIn(given)
  if (kind === undefined) return null
  if (another !== undefined) {
    const message = `${another} must not be present with ${kind}: a destination has one kind.`
    throw fault(`#/${another}`, 'not_allowed', message)
  }
  const { [secretMember[kind]]: secret = '', ...settings } = { ...given[kind] } as Record<
    string,
    string | null
  >
  if (typeof settings['url'] === 'string') {
    const reason = await webhooks.vetUrl(settings['url'], principal.mode)
    if (reason !== null) throw fault(`#/${kind}/url`, 'unsafe_url', reason)
    if (new URL(settings['url']).search !== '')
      throw fault(`#/${kind}/url`, 'unsafe_url', 'url must not have a query.')
  }
  if (kind === 'pubsub') await checkKey(secret ?? '')
  return {
    kind,
    url: addressOf(kind, given[kind] as NonNullable<DestinationSettings[typeof kind]>),
    settings: JSON.stringify(settings),
    secret: webhooks.encryption.encrypt(secretPurpose(principal), secret ?? ''),
  }
}

async function checkKey(pem: string): Promise<void> {
  const key = await importPKCS8(pem, 'RS256').catch(() => null)
  if (key !== null) return
  const message = "private_key must be the private_key of the service account's JSON file."
  throw fault('#/pubsub/private_key', 'invalid_format', message)
}

export const noKind = () =>
  fault('#', 'required', `Exactly one of ${destinationKinds.join(', ')} must be present.`)

export const otherKind = (kind: DestinationKind, was: DestinationKind) =>
  fault(
    `#/${kind}`,
    'not_allowed',
    `${kind} must not be present: the destination's kind is ${was}.`,
  )
