// The agents' endpoints for tests, with a booking service on a real database.
import type { SQL } from 'bun'
import { agentCard } from '#contract/site/a2a.ts'
import { siteAgent } from '#content/agent.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { randomBytes } from '#database/clock.ts'
import { a2aEndpoints } from '../a2a/routes.ts'
import { acpEndpoints } from '../acp/routes.ts'
import {
  openOwner,
  type BookingFixture,
  openBookingFixture,
  testLinks,
} from '#booking/testing/booking-service.ts'
import { createEndpointRouter, type Endpoint } from '#http/endpoint-router.ts'
import { openQuota } from '#http/quota.ts'
import type { SiteServices } from '../server/site-services.ts'
import { createIdempotencyStore } from '#booking/idempotency/store.ts'

export const site = 'https://health.example'

export type AgentsFixture = {
  /** Answers as the gateway does. An internal failure is thrown. */
  ask(path: string, init?: RequestInit): Promise<Response>
  readonly owner: SQL
  readonly database: TestDatabase
  readonly bookingService: BookingFixture
  /** The number of bookings of a person, and of emails queued for them. */
  rowsOf(email: string): Promise<{ bookings: number; mail: number }>
  close(): Promise<void>
}

/** The services that the agents' endpoints need, with the clock of the fixture. */
export function openSiteServices(
  database: TestDatabase,
): SiteServices & { sample: BookingFixture } {
  const sample = openBookingFixture(database)
  const secret = 'a secret of a test'
  const idempotencyStore = createIdempotencyStore({ pool: sample.pool, secret, randomBytes })
  const { bookingService, close } = sample
  return {
    sample,
    bookingService,
    links: testLinks,
    pages: [],
    idempotencyStore,
    base: site,
    secret,
    close,
  }
}

/** `more` adds endpoints to those of the agents. */
export async function openAgents(
  more: (siteServices: SiteServices) => Endpoint[] = () => [],
): Promise<AgentsFixture> {
  const database = await testDatabase()
  const owner = openOwner(database)
  const siteServices = openSiteServices(database)
  const card = agentCard(siteAgent)
  const endpointRouter = createEndpointRouter({
    endpoints: [
      ...acpEndpoints(siteServices),
      ...a2aEndpoints({ ...siteServices, card }),
      ...more(siteServices),
    ],
    quota: openQuota({ requests: 1_000_000 }),
    onError: failure => {
      throw failure
    },
  })
  const visit = { id: 'req_of_a_test', address: '203.0.113.7', note() {} }
  return {
    owner,
    database,
    bookingService: siteServices.sample,
    async ask(path, init) {
      const request = new Request(`${site}${path}`, init)
      const found = endpointRouter.find(new URL(request.url).pathname)
      if (found === undefined) throw new Error(`no endpoint at ${path}`)
      return endpointRouter.answer(found, request, visit)
    },
    async rowsOf(email) {
      const [row] = await owner`
        select count(distinct b.id)::int as bookings, count(m.id)::int as mail
        from site.bookings b left join site.emails m on m.subject = b.id
        where b.person = ${email.toLowerCase()}`
      return row
    },
    async close() {
      await Promise.all([siteServices.close(), owner.close()])
      await database.close()
    },
  }
}
