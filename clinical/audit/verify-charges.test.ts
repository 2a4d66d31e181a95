import { expect, test } from 'bun:test'
import { now } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { idAt } from '../testing/ids.ts'
import { type BillingTarget, createCharge } from '../testing/invoices.ts'
import { verifyAudit } from './verify.ts'

const fixtures = useFixtures()

test('audit verify reports charges a superuser changed, removed or wrote with triggers off', async () => {
  const live: BillingTarget = { who: fixtures.ada, mode: 'live' }
  const [changed, removed] = [
    await createCharge(fixtures, live),
    await createCharge(fixtures, live),
  ]
  const verify = async () =>
    (await fixtures.owner.use(connection => verifyAudit(connection, []))).findings
  expect(await verify()).toEqual([])
  const added = idAt('charge', now())
  await fixtures.owner.use(async connection => {
    // A superuser may set this for their own session.
    await connection.run(sql`set session_replication_role = 'replica'`)
    await connection.run(sql`update live.charges set amount = amount + 1 where id = ${changed}`)
    await connection.run(sql`delete from live.charges where id = ${removed}`)
    await connection.run(sql`
      insert into live.charges select tenant, ${added}, kind, resource_type, 'vis_of_another', amount,
             currency, reverses, reason, created_at from live.charges where id = ${changed}`)
    await connection.run(sql`reset session_replication_role`)
  })
  expect((await verify()).toSorted((a, b) => (a.what < b.what ? -1 : 1))).toEqual([
    { what: 'charge_added', where: added },
    { what: 'charge_changed', where: changed },
    { what: 'charge_removed', where: removed },
  ])
  await fixtures.owner.use(async connection => {
    await connection.run(sql`set session_replication_role = 'replica'`)
    await connection.run(sql`update live.charges set amount = amount - 1 where id = ${changed}`)
    await connection.run(sql`delete from live.charges where id = ${added}`)
    await connection.run(sql`reset session_replication_role`)
  })
  expect(await verify()).toEqual([{ what: 'charge_removed', where: removed }])
})
