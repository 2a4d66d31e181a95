// The agents' endpoints for tests: behind the real door, at a desk on a real database.
import type { SQL } from 'bun'
import { agentCard } from '#contract/site/a2a.ts'
import { siteAgent } from '#content/agent.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { randomBytes } from '#database/clock.ts'
import { a2aSurfaces } from '../a2a/routes.ts'
import { acpSurfaces } from '../acp/routes.ts'
import { openOwner, type SampleDesk, sampleDesk, sampleLinks } from '#booking/testing/booking-service.ts'
import { openDoor, type Surface } from '#http/endpoint-router.ts'
import { openQuota } from '#http/quota.ts'
import type { Reception } from '../server/site-services.ts'
import { openReplies } from '#booking/idempotency/store.ts'

export const site = 'https://house.example'

export type SampleAgents = {
  /** Answers as the gateway does behind its fence. A failure of ours is thrown at the test. */
  ask(path: string, init?: RequestInit): Promise<Response>
  readonly owner: SQL
  readonly database: TestDatabase
  readonly desk: SampleDesk
  /** How many rows the people of these addresses have, and how much mail was queued for them. */
  rowsOf(email: string): Promise<{ bookings: number; mail: number }>
  close(): Promise<void>
}

/** What the agents' endpoints stand on, with the clock of the sample desk. */
export function sampleReception(database: TestDatabase): Reception & { sample: SampleDesk } {
  const sample = sampleDesk(database)
  const secret = 'a secret of a test'
  const replies = openReplies({ lanes: sample.lanes, secret, randomBytes })
  const { desk, close } = sample
  return { sample, desk, links: sampleLinks, pages: [], replies, base: site, secret, close }
}

/** `more` is mounted beside the agents' own endpoints. */
export async function sampleAgents(
  more: (reception: Reception) => Surface[] = () => [],
): Promise<SampleAgents> {
  const database = await testDatabase()
  const owner = openOwner(database)
  const reception = sampleReception(database)
  const card = agentCard(siteAgent)
  const door = openDoor({
    surfaces: [
      ...acpSurfaces(reception),
      ...a2aSurfaces({ ...reception, card }),
      ...more(reception),
    ],
    quota: openQuota({ requests: 1_000_000 }),
    alarm: failure => {
      throw failure
    },
  })
  const visit = { id: 'req_of_a_test', address: '203.0.113.7', note() {} }
  return {
    owner,
    database,
    desk: reception.sample,
    async ask(path, init) {
      const request = new Request(`${site}${path}`, init)
      const found = door.find(new URL(request.url).pathname)
      if (found === undefined) throw new Error(`nobody answers at ${path}`)
      return door.answer(found, request, visit)
    },
    async rowsOf(email) {
      const [row] = await owner`
        select count(distinct b.id)::int as bookings, count(m.id)::int as mail
        from site.bookings b left join site.mail m on m.subject = b.id
        where b.person = ${email.toLowerCase()}`
      return row
    },
    async close() {
      await Promise.all([reception.close(), owner.close()])
      await database.close()
    },
  }
}
