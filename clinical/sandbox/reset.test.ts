import { describe, expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { sql } from '#database/sql.ts'
import { type Mode, modes } from '#contract/operation.ts'
import { consentedPatient, invoke, queuedCase, invokeOk, rivera } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { eventsAfter, queryAsOwner } from '../testing/assertions.ts'
import { purge } from './purge.ts'

const fixtures = useFixtures()

const rows = async (mode: Mode) => {
  const tables = await queryAsOwner<{ name: string }>(
    fixtures,
    sql`select name from public.sandbox_tables order by position`,
  )
  const counted = await Promise.all(
    tables.map(({ name }) =>
      fixtures.owner.use(connection =>
        connection.run<{ n: number }>(
          sql([
            `select count(*)::int as n from ${mode}.${name}`,
          ] as unknown as TemplateStringsArray),
        ),
      ),
    ),
  )
  return counted.reduce((all, [row]) => all + (row?.n ?? 0), 0)
}
const listed = (as: string) => invokeOk(fixtures, 'listPatients', { as })

describe('resetSandbox 200', () => {
  test('removes the guide’s eight resources immediately and resets the autopilot', async () => {
    const { id, patient } = await queuedCase(fixtures)
    const question = { decision: 'needs_info', target: 'patient', question: 'Since when?' }
    await invokeOk(fixtures, 'decideCase', { id, body: question })
    await invokeOk(fixtures, 'answerCase', { id, body: { answers: [{ answer: 'May.' }] } })
    await invokeOk(fixtures, 'decideCase', { id, body: { decision: 'approve' } })
    await invokeOk(fixtures, 'shipCase', { id })
    await invokeOk(fixtures, 'deliverCase', { id })
    expect(await eventsAfter(fixtures, null)).toHaveLength(16)
    await invokeOk(fixtures, 'updateAutopilot', { body: { approve_after_s: 5 } })

    expect(await invokeOk(fixtures, 'resetSandbox')).toEqual({ reset: true, resources_deleted: 8 })
    expect(await eventsAfter(fixtures, null)).toEqual([])
    expect((await invoke(fixtures, 'getCase', { id })).code).toBe('not_found')
    expect((await invoke(fixtures, 'getPatient', { id: patient })).code).toBe('not_found')
    expect(await invokeOk(fixtures, 'getAutopilot')).toEqual({
      approve_after_s: null,
      ship_after_s: null,
    })
    expect(await invokeOk(fixtures, 'resetSandbox')).toEqual({ reset: true, resources_deleted: 0 })
  })

  test('a deleted patient isn’t counted again', async () => {
    const { patient } = await consentedPatient(fixtures)
    await invokeOk(fixtures, 'deletePatient', { id: patient })
    expect((await invokeOk(fixtures, 'resetSandbox')).resources_deleted).toBe(2)
  })

  test('other integrations’ and live resources stay', async () => {
    const bens = await queuedCase(fixtures, fixtures.ben.test)
    const live = await consentedPatient(fixtures, fixtures.ada.live)
    await consentedPatient(fixtures)
    await invokeOk(fixtures, 'resetSandbox')
    expect(
      (await invokeOk(fixtures, 'getCase', { as: fixtures.ben.test, id: bens.id })).status,
    ).toBe('queued')
    expect(
      (await invokeOk(fixtures, 'getPatient', { as: fixtures.ada.live, id: live.patient })).id,
    ).toBe(live.patient)
  })

  test('timestamps and IDs keep ascending, so earlier cursors stay valid', async () => {
    const old = await invokeOk(fixtures, 'createPatient', { body: rivera })
    const [event] = (await eventsAfter(fixtures, null)).slice(-1)
    await invokeOk(fixtures, 'resetSandbox')
    const next = await invokeOk(fixtures, 'createPatient', { body: rivera })
    expect(next.id > old.id && next.created_at > old.created_at).toBe(true)
    const since = { since: event?.created_at ?? '' }
    const { data } = await invokeOk(fixtures, 'listEvents', { query: since })
    expect(data.map((one: { resource: { id: string } }) => one.resource.id)).toEqual([next.id])
  })
})

describe('resetSandbox and idempotency keys', () => {
  test('a retried reset is replayed and doesn’t reset again', async () => {
    await consentedPatient(fixtures)
    const first = await invoke(fixtures, 'resetSandbox', { key: 'reset-1' })
    const { patient } = await consentedPatient(fixtures)
    const again = await invoke(fixtures, 'resetSandbox', { key: 'reset-1' })
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await invokeOk(fixtures, 'getPatient', { id: patient })).id).toBe(patient)
  })

  test('keys that were used before the reset can be used again', async () => {
    const before = await invoke(fixtures, 'createPatient', { key: 'patient-1', body: rivera })
    await invokeOk(fixtures, 'resetSandbox')
    const after = await invoke(fixtures, 'createPatient', { key: 'patient-1', body: rivera })
    expect([after.status, after.headers['idempotent-replayed']]).toEqual([201, undefined])
    expect(after.body.id).not.toBe(before.body.id)
  })

  test('concurrent resets with one key reset once; those with different keys count what they removed', async () => {
    await invokeOk(fixtures, 'resetSandbox')
    await consentedPatient(fixtures)
    const repeats = await Promise.all(
      [1, 2, 3, 4, 5].map(() => invoke(fixtures, 'resetSandbox', { key: 'repeat' })),
    )
    const done = repeats.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    for (const { body } of done) expect(body.resources_deleted).toBe(3)
    for (const { code } of repeats) expect([null, 'idempotency_in_progress']).toContain(code)
    await consentedPatient(fixtures)
    const own = await Promise.all([1, 2, 3].map(() => invokeOk(fixtures, 'resetSandbox')))
    expect(own.map(one => one.resources_deleted).toSorted()).toEqual([0, 0, 3])
  })
})

describe('resetSandbox during other writes', () => {
  test('every concurrent write is either removed with the old tenant or complete in the new one', async () => {
    let written = 0
    const writers = Array.from({ length: 12 }, async () => {
      const made: string[] = []
      for (let n = 0; n < 6; n++) {
        const { body } = await invoke(fixtures, 'createPatient', { body: rivera })
        made.push(body.id)
        written++
      }
      return made
    })
    const resets = (async () => {
      let deleted = 0
      for (let n = 0; n < 4; n++) {
        await until(() => written > n * 12)
        deleted += (await invokeOk(fixtures, 'resetSandbox')).resources_deleted
      }
      return deleted
    })()
    const made = (await Promise.all(writers)).flat()
    const deleted = await resets
    expect(made.every(id => id.startsWith('pat_'))).toBe(true)
    const standing: string[] = []
    for (let cursor = ''; ;) {
      const query = { limit: '100', ...(cursor === '' ? {} : { starting_after: cursor }) }
      const page = await invokeOk(fixtures, 'listPatients', { query })
      standing.push(...page.data.map((one: { id: string }) => one.id))
      cursor = standing.at(-1) ?? ''
      if (!page.has_more) break
    }
    expect(standing.length + deleted).toBe(made.length)
    const created = (await eventsAfter(fixtures, null)).map(({ resource }) => resource.id)
    expect(created).toEqual(standing)
    expect(fixtures.errors).toEqual([])
  })
})

describe('purge', () => {
  test('deletes only reset sandboxes’ rows', async () => {
    await invokeOk(fixtures, 'resetSandbox')
    await queuedCase(fixtures)
    const standing = [await listed(fixtures.ada.test), await listed(fixtures.ben.test)]
    expect(await purge(fixtures.workerContext)).toBeGreaterThan(0)
    expect([await listed(fixtures.ada.test), await listed(fixtures.ben.test)]).toEqual(standing)
    const left = await queryAsOwner(
      fixtures,
      sql`select p.id from test.patients p join test.tenants s on s.id = p.tenant
           where s.retired_at is not null`,
    )
    expect(left).toEqual([])
    expect(await purge(fixtures.workerContext)).toBe(0)
    expect(
      await queryAsOwner(
        fixtures,
        sql`select id from test.tenants where retired_at is not null and emptied_at is null`,
      ),
    ).toEqual([])
  })

  test('a sandbox row is hidden after thirty days and then deleted; a live row stays', async () => {
    await invokeOk(fixtures, 'resetSandbox')
    await purge(fixtures.workerContext)
    const { id, patient } = await queuedCase(fixtures)
    const live = await consentedPatient(fixtures, fixtures.ada.live)
    const back = async (days: number) => {
      for (const name of ['patients', 'consents', 'cases', 'events']) {
        await fixtures.owner.use(connection =>
          connection.run(
            sql([
              `with t as (update test.${name} set created_at = created_at - interval '${days} days')
               update live.${name} set created_at = created_at - interval '${days} days'`,
            ] as unknown as TemplateStringsArray),
          ),
        )
      }
    }
    await back(29)
    expect((await invokeOk(fixtures, 'getCase', { id })).id).toBe(id)
    await back(2)
    expect((await invoke(fixtures, 'getCase', { id })).code).toBe('not_found')
    expect(await listed(fixtures.ada.test)).toEqual({ data: [], has_more: false })
    expect(await eventsAfter(fixtures, null)).toEqual([])
    expect((await invokeOk(fixtures, 'resetSandbox')).resources_deleted).toBe(0)
    const before = await rows('live')
    expect(await purge(fixtures.workerContext)).toBeGreaterThan(0)
    expect(
      await queryAsOwner(fixtures, sql`select id from test.patients where id = ${patient}`),
    ).toEqual([])
    expect(await rows('live')).toBe(before)
    expect(
      (await invokeOk(fixtures, 'getPatient', { as: fixtures.ada.live, id: live.patient })).id,
    ).toBe(live.patient)
  })

  test('a case newer than its patient stays; the patient’s personal data is erased', async () => {
    const { id, patient } = await queuedCase(fixtures)
    await queryAsOwner(
      fixtures,
      sql`update test.patients set created_at = now() - interval '31 days' where id = ${patient}`,
    )
    await purge(fixtures.workerContext)
    expect((await invokeOk(fixtures, 'getCase', { id })).patient).toBe(patient)
    expect((await invoke(fixtures, 'getPatient', { id: patient })).code).toBe('not_found')
    const [left] = await queryAsOwner<{ first_name: string | null; email: string | null }>(
      fixtures,
      sql`select first_name, email from test.patients where id = ${patient}`,
    )
    expect(left).toEqual({ first_name: null, email: null })
    expect(await purge(fixtures.workerContext)).toBe(0)
  })

  test('expired idempotency records are deleted in both modes', async () => {
    await invoke(fixtures, 'createPatient', { key: 'old', body: rivera })
    await invoke(fixtures, 'createPatient', { as: fixtures.ada.live, key: 'old', body: rivera })
    for (const inMode of modes) {
      await fixtures.owner.use(connection =>
        connection.run(
          sql([
            `update ${inMode}.idempotency_keys set expires_at = now() - interval '1 ms' where key = 'old'`,
          ] as unknown as TemplateStringsArray),
        ),
      )
    }
    await purge(fixtures.workerContext)
    const left = await queryAsOwner(
      fixtures,
      sql`select key from test.idempotency_keys where key = 'old'
          union all select key from live.idempotency_keys where key = 'old'`,
    )
    expect(left).toEqual([])
  })
})
