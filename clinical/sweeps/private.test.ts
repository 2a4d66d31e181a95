// Private values: no response contains a column value that no schema publishes, and no database
// dump contains a secret that a response showed once.

import { afterEach, beforeAll, expect, test } from 'bun:test'
import { callableIds, callable } from '#contract/callable.ts'
import { openapi } from '#contract/derive/clinical.ts'
import { isWrite } from '#contract/operation.ts'
import { sql, type Statement } from '#database/sql.ts'
import { invoke, type CallResult } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { completePending } from '../testing/exports.ts'
import { validCalls } from '../testing/valid-calls.ts'
import { queryAsOwner } from '../testing/assertions.ts'

const fixtures = useFixtures()
const answers: (CallResult & { id: string; isRead: boolean })[] = []
beforeAll(async () => {
  await queryAsOwner(fixtures, sql`update auth.integrations set name = 'PrivateMarker integration'`)
  await queryAsOwner(fixtures, sql`update auth.credentials set name = 'PrivateMarker key'`)
  for (const id of callableIds.filter(one => one !== 'resetSandbox')) {
    const options = await validCalls[id](fixtures, fixtures.ada.test)
    const isRead = !isWrite(callable[id])
    answers.push({ ...(await invoke(fixtures, id, options)), id, isRead })
    // A refusal must not contain private values either.
    answers.push({
      ...(await invoke(fixtures, id, { ...options, body: { a: 1 } })),
      id,
      isRead: true,
    })
  }
  await completePending(fixtures)
})
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

const literal = (text: string): Statement => sql([text] as unknown as TemplateStringsArray)

type Column = { table: string; name: string }
const columns = () =>
  queryAsOwner<Column>(
    fixtures,
    sql`select format('%I.%I', table_schema, table_name) as table, column_name as name
          from information_schema.columns join information_schema.tables
         using (table_schema, table_name)
         where table_schema in ('test', 'auth', 'audit') and table_type = 'BASE TABLE'
           and data_type in ('text', 'bytea', 'uuid', 'json', 'jsonb') order by 1, 2`,
  )

/** Returns a column's values as a response could contain them: bytes in three encodings. */
async function valuesOf({ table: from, name }: Column): Promise<string[]> {
  const rows = await queryAsOwner<{ value: string | Uint8Array | null }>(
    fixtures,
    sql`select ${literal(`"${name}"`)} as value from ${literal(from)}
         where "${literal(name)}" is not null limit 500`,
  )
  return rows.flatMap(({ value }) => {
    if (typeof value === 'string') return [value]
    if (!(value instanceof Uint8Array)) return [JSON.stringify(value)]
    const bytes = Buffer.from(value)
    return (['hex', 'base64', 'base64url'] as const).map(coding => bytes.toString(coding))
  })
}

/** Longer than the API's own words, which a private column may also contain. */
const isLongEnough = (value: string) => value.length >= 16

/** Returns the field names of all schemas: a column with such a name is published. */
function publishedNames(): Set<string> {
  const names = new Set<string>()
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties') for (const name of Object.keys(value as object)) names.add(name)
      walk(value)
    }
  }
  walk(openapi(callable)['components'])
  return names
}

test('no value of a private column is in any response', async () => {
  const published = publishedNames()
  // Two operations return a new secret once; the column stores it encrypted.
  published.delete('secret')
  // Settings are published in the field named after the destination's kind.
  published.add('settings')
  const all = await columns()
  const [open, hidden] = [true, false].map(is => all.filter(one => published.has(one.name) === is))
  const names = new Set((hidden ?? []).map(one => `${one.table} ${one.name}`))
  for (const name of [
    'auth.credentials hash',
    'test.files object',
    'test.webhook_endpoints secret',
  ]) {
    expect(names).toContain(name)
  }
  const known = new Set((await Promise.all((open ?? []).map(valuesOf))).flat())
  const values = (await Promise.all((hidden ?? []).map(valuesOf))).flat().filter(isLongEnough)
  // An ID isn't a secret: reading its row needs a credential.
  const isId = (value: string) => /^[a-z]+_[0-9a-z]{26}$/.test(value)
  const secrets = [...new Set(values.filter(value => !known.has(value) && !isId(value)))]
  expect(secrets.length).toBeGreaterThan(200)
  secrets.push('PrivateMarker')
  for (const { id, text, body, headers } of answers.filter(one => one.isRead)) {
    const whole = `${text} ${JSON.stringify(body)} ${JSON.stringify(headers)}`
    // The request log shows each call's key name to the key's own integration.
    const isLog = ['listRequests', 'getRequest'].includes(id)
    const response = isLog ? whole.replaceAll('"name":"PrivateMarker key"', '') : whole
    expect([id, secrets.filter(value => response.includes(value))]).toEqual([id, []])
  }
})

test('no secret from a response is in a database dump', async () => {
  const secrets = answers.flatMap(({ id, body }) => {
    const link = id === 'getJoinLink' ? String(body.url).split('/').at(-1) : undefined
    const upload = body.upload_url === undefined ? undefined : body.upload_url.split('/').at(-1)
    return [body.secret, body.token, link, upload].filter(
      one => typeof one === 'string' && isLongEnough(one),
    )
  })
  secrets.push(fixtures.ada.test, fixtures.ada.live)
  expect(secrets.length).toBeGreaterThanOrEqual(8)
  const tables = await queryAsOwner<{ name: string }>(
    fixtures,
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables
         where schemaname in ('test', 'live', 'auth', 'audit', 'site', 'public')`,
  )
  let rows = 0
  for (const { name } of tables) {
    const dump = await queryAsOwner<{ row: string }>(
      fixtures,
      sql`select t::text as row from ${literal(name)} t`,
    )
    rows += dump.length
    const text = dump.map(({ row }) => row).join('\n')
    const found = secrets.filter(one => {
      const bytes = Buffer.from(one)
      return text.includes(one) || text.includes(bytes.toString('hex'))
    })
    expect([name, found]).toEqual([name, []])
    expect([name, /whsec_|svc_sk_(test|live)_\w{40}/.test(text)]).toEqual([name, false])
  }
  expect(rows).toBeGreaterThan(500)
})
