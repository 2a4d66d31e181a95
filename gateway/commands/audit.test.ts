// `npm run admin -- audit verify` as an operator runs it: output and exit code.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { invokeOk, rivera } from '#clinical/testing/call.ts'
import { signOnce, signerOf } from '#clinical/audit/sign.ts'
import { type Fixtures, openFixtures } from '#clinical/testing/fixtures.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { auditSecretOf } from '../settings/credentials.ts'

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

async function audit(...args: string[]) {
  const child = Bun.spawn(
    [process.execPath, path.join(import.meta.dir, 'admin.ts'), 'audit', ...args],
    {
      env: { DATABASE_URL: fixtures.database.url, DATA_DIR: folder, KEY_PEPPER: pepper },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, lines: stdout.trim().split('\n'), stderr }
}

/** Changes the audit log as the owner, with triggers off. */
async function tamper(statement: string): Promise<void> {
  await using owner = new SQL(fixtures.database.url, { max: 1 })
  await owner`set session_replication_role = replica`
  await owner.unsafe(statement)
}

/** Signs all rows. An open transaction, even in another database on the server, would exclude newer
 *  rows, so this waits for such transactions to end. */
async function seal(): Promise<void> {
  const [last] = await queryAsOwner<{ xid: string }>(
    fixtures,
    sql`select pg_current_xact_id()::text as xid`,
  )
  const past = sql`
    select where pg_snapshot_xmin(pg_current_snapshot()) > ${last?.xid ?? ''}::text::xid8`
  await until(async () => (await queryAsOwner(fixtures, past)).length > 0)
  await fixtures.owner.use(connection => signOnce(connection, signerOf(auditSecretOf(pepper))))
}

test('audit verify: accepts an intact log, and finds a changed row and a truncated log', async () => {
  for (let at = 0; at < 3; at++) await invokeOk(fixtures, 'createPatient', { body: rivera })
  await seal()
  await invokeOk(fixtures, 'listPatients')
  const whole = await audit('verify')
  expect(whole).toMatchObject({ code: 0, stderr: '' })
  const [counted, head, verdict] = whole.lines
  expect(counted).toBe('5 rows under 1 signature, 1 not yet signed.')
  expect(head).toMatch(/^Head 1:[0-9a-f]{64}$/)
  expect(verdict).toBe('Nothing was changed, removed or added.')

  await tamper(`update audit.entries set person = 'per_ada', client = 'cli_1'
                 where seq = (select min(seq) from audit.entries where action = 'createPatient')`)
  const edited = await audit('verify')
  expect(edited.code).toBe(1)
  expect(edited.lines[0]).toMatch(/^\d+  row was changed after it was signed$/)
  expect(edited.lines[1]).toMatch(
    /^ {14}\d{4}-\d\d-\d\dT[\d:]{8}Z rest createPatient, actor \w+, person per_ada, client cli_1$/,
  )
  expect(edited.lines.at(-1)).toBe('1 finding.')

  await tamper('delete from audit.signatures')
  const cut = await audit('verify', '--head', head?.slice(5) ?? '')
  expect(cut.code).toBe(1)
  expect(cut.lines.join('\n')).toContain('signature existed earlier and has been removed')
})

test('audit: prints its usage for invalid arguments', async () => {
  const head = `1:${'0'.repeat(64)}`
  for (const args of [['check'], ['verify', '--head'], ['verify', '--head', head, 'again']]) {
    const { code, stderr } = await audit(...args)
    expect([args, code]).toEqual([args, 2])
    expect(stderr).toContain('npm run admin -- audit verify [--head n:signature]')
  }
})

test('audit: names a head that was copied wrong', async () => {
  expect(await audit('verify', '--head=4711:9f')).toEqual({
    code: 2,
    lines: [''],
    stderr:
      '--head must be a number, a colon and 64 hex digits, as an earlier run printed it after "Head", not "4711:9f".\n',
  })
})
