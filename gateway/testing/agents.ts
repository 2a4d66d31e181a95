// The agents' endpoints, with a booking service on a real database.
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
  testHours,
  testLinks,
} from '#booking/testing/booking-service.ts'
import { openOpening } from '#booking/opening.ts'
import { pageEndpoints } from '#booking/pages/endpoints.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { testRouter } from '#http/testing/endpoints.ts'
import { createSiteGroup } from '../server/content.ts'
import { countFeedback } from '../feedback/count.ts'
import type { SiteServices } from '../server/site-services.ts'
import { createMemoryStore } from '#booking/idempotency/memory-store.ts'
import { createIdempotencyStore } from '#booking/idempotency/store.ts'

export const site = 'https://health.example'

export type AgentsFixture = {
  /** Responds like the gateway, but throws on an internal failure. */
  ask(path: string, init?: RequestInit): Promise<Response>
  answer(request: Request): Promise<Response>
  readonly owner: SQL
  readonly database: TestDatabase
  readonly bookingService: BookingFixture
  /** A person's bookings, and the emails queued for them. */
  rowsOf(email: string): Promise<{ bookings: number; mail: number }>
  /** The row count of every site table. */
  rowCounts(): Promise<Record<string, number>>
  close(): Promise<void>
}

type TestServices = SiteServices & { readonly sample: BookingFixture }

/** The services for the agents' endpoints, with the fixture's clock. */
export function openSiteServices(
  database: TestDatabase,
  quota: { peoplePerHour?: number } = {},
): TestServices {
  const sample = openBookingFixture(database, quota)
  const secret = 'a secret of a test'
  const idempotencyStore = createIdempotencyStore({ pool: sample.pool, secret, randomBytes })
  const { bookingService, close } = sample
  return {
    sample,
    bookingService,
    links: testLinks,
    pages: [],
    idempotencyStore,
    dryRunStore: createMemoryStore(),
    feedback: countFeedback(sample.pool),
    base: site,
    secret,
    close,
  }
}

/** `more` adds endpoints to the agents' own. */
export async function openAgents(
  more: (siteServices: TestServices) => Endpoint[] = () => [],
  quota: { peoplePerHour?: number } = {},
): Promise<AgentsFixture> {
  const database = await testDatabase()
  const owner = openOwner(database)
  const siteServices = openSiteServices(database, quota)
  const card = agentCard(siteAgent)
  const failures: unknown[] = []
  const group = createSiteGroup({
    endpoints: [
      ...acpEndpoints(siteServices),
      ...a2aEndpoints({ ...siteServices, card }),
      ...more(siteServices),
    ],
    requests: 1_000_000,
    onError: failure => void failures.push(failure),
  })
  const { enter } = testRouter(group)
  const answer = async (request: Request) => {
    const response = await enter(request, { address: '203.0.113.7' })
    if (failures.length > 0) throw failures.pop()
    return response
  }
  return {
    owner,
    database,
    bookingService: siteServices.sample,
    answer,
    ask: (path, init) => answer(new Request(`${site}${path}`, init)),
    async rowsOf(email) {
      const [row] = await owner`
        select count(distinct b.id)::int as bookings, count(m.id)::int as mail
        from site.bookings b left join site.emails m on m.subject = b.id
        where b.person = ${email.toLowerCase()}`
      return row
    },
    rowCounts: () => rowCounts(owner),
    async close() {
      await Promise.all([siteServices.close(), owner.close()])
      await database.close()
    },
  }
}

/** The booking pages without a build's layout. */
export const bookingPages = (services: TestServices): Endpoint[] =>
  pageEndpoints({
    bookingService: services.bookingService,
    idempotencyStore: services.idempotencyStore,
    links: services.links,
    opening: openOpening(testHours),
    organizer: 'sales@health.example',
    layout: async ({ body, status = 200, headers = {} }) =>
      new Response(body.text, { status, headers }),
    now: () => services.sample.clock.now,
    randomBytes,
  })

async function rowCounts(owner: SQL): Promise<Record<string, number>> {
  const tables = await owner`select relname as name from pg_class
                              where relnamespace = 'site'::regnamespace and relkind = 'r'`
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await owner`select count(*)::int as count from ${owner(`site.${name}`)}`
    counts[name] = row.count
  }
  return counts
}
