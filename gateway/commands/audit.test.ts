// `bun run audit verify` as an operator types it: what it says, and the number that it ends with.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { must, rivera } from '#clinical/testing/call.ts'
import { signOnce, signerOf } from '#clinical/audit/sign.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { auditSecretOf } from '../server/credentials.ts'

const pepper = 'a pepper of an operator who tests'
let fixtures: Fixtures
let folder = ''
beforeAll(async () => {
  fixtures = await openFixtures()
  folder = await mkdtemp(path.join(tmpdir(), 'audit-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await fixtures.close()
})

async function typed(...args: string[]) {
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, 'audit.ts'), ...args], {
    env: { DATABASE_URL: fixtures.database.url, DATA_DIR: folder, KEY_PEPPER: pepper },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complained, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, lines: said.trim().split('\n'), complained }
}

/** Does what nobody may: as the owner, with the triggers off. */
async function tamper(statement: string): Promise<void> {
  await using owner = new SQL(fixtures.database.url, { max: 1 })
  await owner`set session_replication_role = replica`
  await owner.unsafe(statement)
}

/** One seal of all there is. It would leave out what was written beside a transaction that is still
 *  open, be it in a neighbour's database of the same server: those are waited for. */
async function seal(): Promise<void> {
  const [last] = await queryAsOwner<{ xid: string }>(
    fixtures,
    sql`select pg_current_xact_id()::text as xid`,
  )
  const past = sql`
    select where pg_snapshot_xmin(pg_current_snapshot()) > ${last?.xid ?? ''}::text::xid8`
  while ((await queryAsOwner(fixtures, past)).length === 0) await Bun.sleep(5)
  await fixtures.owner.use(connection => signOnce(connection, signerOf(auditSecretOf(pepper))))
}

test('an audit that nobody touched, one that its owner did, and one that lost its end', async () => {
  for (let at = 0; at < 3; at++) await must(fixtures, 'createPatient', { body: rivera })
  await seal()
  await must(fixtures, 'listPatients')
  const whole = await typed('verify')
  expect(whole).toMatchObject({ code: 0, complained: '' })
  const [counted, head, verdict] = whole.lines
  expect(counted).toBe('3 rows under 1 seal, 1 not sealed yet.')
  expect(head).toMatch(/^Head 1:[0-9a-f]{64}$/)
  expect(verdict).toBe('Nothing was changed, removed or added.')

  await tamper(`update audit.entries set status = 200
                 where seq = (select min(seq) from audit.entries)`)
  const edited = await typed('verify')
  expect(edited.code).toBe(1)
  expect(edited.lines[0]).toMatch(/^\d+  row was changed after it was sealed$/)
  expect(edited.lines.at(-1)).toBe('1 finding.')

  await tamper('delete from audit.signatures')
  const cut = await typed('verify', '--head', head?.slice(5) ?? '')
  expect(cut.code).toBe(1)
  expect(cut.lines.join('\n')).toContain('seal, which was there once, is not there any more')
})

test('a mistake at the prompt is told how it is typed', async () => {
  for (const args of [['check'], ['verify', '--head'], ['verify', '--head', 'x']]) {
    const { code, lines } = await typed(...args)
    expect([args, code, lines[0], lines[1]?.trim()]).toEqual([
      args,
      2,
      'Usage:',
      'bun run audit verify [--head n:signature]',
    ])
  }
})
