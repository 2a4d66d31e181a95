import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { until } from '#http/testing/until.ts'
import { type ConnectionPool, openPool, type Row } from '#database/pool.ts'
import type { Statement } from '#database/sql.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { signOnce, signerOf } from './sign.ts'
import { verifyAudit } from './verify.ts'

const signer = signerOf('a secret for tests')

let database: TestDatabase
let owner: SQL
let pool: ConnectionPool
let worker: ConnectionPool
const open = async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
  pool = openPool({ url: database.url, size: 1, name: 'verify' })
  worker = openPool({ url: database.urls.worker_test, size: 2, name: 'worker' })
}
const close = async () => {
  await Promise.all([owner.close(), pool.close(), worker.close()])
  await database.close()
}
beforeAll(open)
afterAll(close)

let n = 0
const call = (sql: SQL = owner) =>
  sql`insert into audit.entries (surface, action, outcome, status, request)
      values ('rest', ${`getPatient ${++n}`}, 'ok', 200, 'req_1') returning seq::text`
const seal = () => worker.use(connection => signOnce(connection, signer))
const verify = (head?: string | null) =>
  pool.use(connection => verifyAudit(connection, [signer], head))
/** Changes the audit as its owner with triggers off, which no platform role can do. */
const tamper = async (statement: string) => {
  await owner`set session_replication_role = replica`
  await owner.unsafe(statement)
  await owner`set session_replication_role = origin`
}
/** Signs all rows. Open transactions in other databases on the server delay this, so it repeats
 *  until no row is waiting. */
const signAll = () =>
  until(async () => {
    while ((await seal()) !== null);
    return (await verify()).waiting === 0
  })

describe('unmodified audit', () => {
  test('is signed in batches of whole transactions and verifies without findings', async () => {
    for (let i = 0; i < 5; i++) await call()
    await signAll()
    for (let i = 0; i < 3; i++) await call()
    await signAll()
    expect(await verify()).toMatchObject({ sealed: 8, waiting: 0, findings: [] })
    await call()
    expect(await verify()).toMatchObject({ sealed: 8, waiting: 1, findings: [] })
    await signAll()
    expect(await seal()).toBeNull()
  })

  test('verifies with more than nine seals, when numbers sort differently as text', async () => {
    for (let i = 0; i < 12; i++) {
      await call()
      await signAll()
    }
    let reads = 0
    const found = await pool.use(connection => {
      const run = <R extends Row>(statement: Statement) => {
        if (statement.prepared.text.includes('audit.signatures')) reads++
        return connection.run<R>(statement)
      }
      return verifyAudit({ run }, [signer])
    })
    expect(found).toMatchObject({ waiting: 0, findings: [] })
    expect(found.seals).toBeGreaterThan(12)
    // One for their signatures, and one for their digests.
    expect(reads).toBe(2)
    expect(found.head).toStartWith(`${found.seals}:`)
  })

  test('verifies when its rows span several pages', async () => {
    await owner`insert into audit.entries (action, surface, outcome, status, request)
                select 'read', 'rest', 'ok', 200, 'req_' || n from generate_series(1, 5200) n`
    await signAll()
    expect(await verify()).toMatchObject({ waiting: 0, findings: [] })
  })

  test('a row whose transaction is still open is signed by a later seal', async () => {
    await signAll()
    const slow = new SQL(database.url, { max: 1 })
    const transaction = await slow.reserve()
    await transaction`begin`
    await call(transaction)
    await call()
    await seal()
    await transaction`commit`
    await transaction.release()
    await slow.close()
    await signAll()
    expect(await verify()).toMatchObject({ waiting: 0, findings: [] })
  })

  test('concurrent workers build one chain', async () => {
    for (let i = 0; i < 20; i++) await call()
    await Promise.all([seal(), seal(), seal(), seal()])
    await signAll()
    expect(await verify()).toMatchObject({ waiting: 0, findings: [] })
  })
})

describe('audit changed by its owner', () => {
  let seqs: string[] = []
  let head: string | null = null
  beforeEach(async () => {
    await close()
    await open()
    seqs = []
    for (let batch = 0; batch < 3; batch++) {
      // One seal signs a whole transaction, whatever else is open on the server.
      await owner.begin(async transaction => {
        for (let i = 0; i < 3; i++) seqs.push((await call(transaction))[0].seq)
      })
      await signAll()
    }
    head = (await verify()).head
  })
  const middle = () => seqs[4] ?? ''

  test('reports an edited row', async () => {
    await tamper(`update audit.entries set outcome = 'refused' where seq = ${middle()}`)
    expect((await verify()).findings).toEqual([{ what: 'row_changed', where: middle() }])
  })

  test('reports a removed row', async () => {
    await tamper(`delete from audit.entries where seq = ${middle()}`)
    expect((await verify()).findings).toEqual([{ what: 'row_removed', where: middle() }])
  })

  test('reports a row inserted among signed ones', async () => {
    await tamper(
      `insert into audit.entries (seq, surface, action, outcome, status, request, xid)
       overriding system value select 5000, surface, 'forged', outcome, status, request, xid
         from audit.entries where seq = ${middle()}`,
    )
    expect((await verify()).findings).toEqual([{ what: 'row_added', where: '5000' }])
  })

  test('reports both rows if their contents were swapped', async () => {
    const [first, second] = [seqs[3] ?? '', seqs[4] ?? '']
    await tamper(`
      update audit.entries set action = case seq when ${first} then
        (select action from audit.entries where seq = ${second}) else
        (select action from audit.entries where seq = ${first}) end
      where seq in (${first}, ${second})`)
    expect((await verify()).findings).toEqual([
      { what: 'row_changed', where: first },
      { what: 'row_changed', where: second },
    ])
  })

  const removeWithDigest = () =>
    tamper(`
      update audit.signatures set rows = rows - 1, digests = substring(digests from 1 for octet_length(digests) - 16)
       where n = 2;
      delete from audit.entries where seq = ${seqs[5] ?? ''}`)

  test('reports the seal of a row that was removed together with its digest', async () => {
    await removeWithDigest()
    expect((await verify()).findings).toEqual([{ what: 'seal_changed', where: '2' }])
  })

  test('reports a seal that changed after its signature was checked', async () => {
    const { findings } = await pool.use(connection => {
      const run = async <R extends Row>(statement: Statement) => {
        if (statement.prepared.text.includes('audit.entries')) await removeWithDigest()
        return connection.run<R>(statement)
      }
      return verifyAudit({ run }, [signer])
    })
    expect(findings).toEqual([{ what: 'seal_changed', where: '2' }])
  })

  test('reports a removed seal', async () => {
    await tamper('delete from audit.signatures where n = 2')
    const { findings } = await verify()
    expect(findings).toContainEqual({ what: 'seal_missing', where: '2' })
  })

  test('reports a cut-off end when the earlier head is given', async () => {
    await tamper('delete from audit.signatures where n = 3')
    await tamper(`delete from audit.entries where seq > ${seqs[5] ?? ''}`)
    expect((await verify()).findings).toEqual([])
    expect((await verify(head)).findings).toEqual([{ what: 'end_missing', where: '3' }])
  })

  test('verifies seals from several keys, each with the key that signed it', async () => {
    const other = signerOf('another key')
    await call()
    await until(async () => (await worker.use(connection => signOnce(connection, other))) !== null)
    const found = await pool.use(connection => verifyAudit(connection, [other, signer]))
    expect(found.findings).toEqual([])
    expect((await verify()).findings).toContainEqual({ what: 'key_unknown', where: '4' })
  })

  test('reports seals signed with another key', async () => {
    await tamper('truncate audit.signatures')
    const other = signerOf('another key')
    await until(async () => (await worker.use(connection => signOnce(connection, other))) !== null)
    expect((await verify()).findings).toContainEqual({ what: 'key_unknown', where: '1' })
  })
})

test('audit: the worker role can insert seals but can’t read, change or delete anything', async () => {
  for (const statement of [
    'select * from audit.entries',
    'delete from audit.signatures',
    "update audit.signatures set signature = ''",
    'truncate audit.signatures',
  ]) {
    const tried = worker.use(connection => connection.run({ text: statement, values: [] } as never))
    expect(
      await tried.then(
        () => 'done',
        () => 'denied',
      ),
    ).toBe('denied')
  }
})
