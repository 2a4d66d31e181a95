// Document links: their responses, and everything that revokes a link.

import { beforeEach, expect, test } from 'bun:test'
import { grant, openOrganization } from '#auth/integrations.ts'
import { sql, type Statement } from '#database/sql.ts'
import { queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { queryAsOwner } from '../testing/assertions.ts'
import { documentEndpoint } from './documents.ts'
import { confirmation, photo, reserveFile, scanAll, uploadFile } from '../testing/files.ts'

const fixtures = useFixtures()
let link: string
let file: string
let patient: string
let job: string

beforeEach(async () => {
  const as = fixtures.ada.live
  const { id: theCase } = await queuedCase(fixtures, as)
  const found = await reserveFile(fixtures, { as, case: theCase })
  await uploadFile(fixtures, found)
  const body = confirmation(found.patient, { filename: "Ada's (1) é.png" })
  file = (await invokeOk(fixtures, 'confirmFile', { as, id: found.id, body })).id
  await scanAll(fixtures)
  patient = found.patient
  job = (await invokeOk(fixtures, 'createExport', { as, id: patient })).id
  link = (await invokeOk(fixtures, 'downloadExport', { as, id: job })).documents[0].url
})

const open = (url = link, method = 'GET') => {
  const token = url.slice(url.lastIndexOf('/') + 1)
  const reader = { id: 'req_01m7wqryjrscqnw9bcr5fpqt88', address: '203.0.113.9' }
  return documentEndpoint(fixtures.context)(new Request(url, { method }), token, reader)
}

const audited = async () => [
  ...(await queryAsOwner(
    fixtures,
    sql`select outcome, status, code, mode, address from audit.entries
         where action = 'readDocument' and target = ${file} order by seq`,
  )),
]

test('document link 200: serves the bytes as an attachment and writes one audit row', async () => {
  const answer = await open()
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(photo)
  const { headers } = answer
  expect(headers.get('content-type')).toBe('image/png')
  expect(headers.get('content-length')).toBe(String(photo.length))
  const name = 'Ada%27s%20%281%29%20%C3%A9.png'
  expect(headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${name}`)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toStartWith('sandbox')
  const reader = { mode: 'live', address: '203.0.113.9' }
  expect(await audited()).toEqual([{ outcome: 'ok', status: 200, code: null, ...reader }])
  const head = await open(link, 'HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await open(link, 'POST')).status).toBe(405)
})

test('document link 200: the audit row has the first 256 characters of the user agent', async () => {
  const agent = `${'a'.repeat(254)}bcd`
  const init = { headers: { 'user-agent': agent } }
  const token = link.slice(link.lastIndexOf('/') + 1)
  const reader = { id: 'req_01m7wqryjrscqnw9bcr5fpqt89', address: null }
  await documentEndpoint(fixtures.context)(new Request(link, init), token, reader)
  const agents = sql`select agent, address from audit.entries where request = ${reader.id}`
  expect(await queryAsOwner(fixtures, agents)).toEqual([
    { agent: `${'a'.repeat(254)}bc`, address: null },
  ])
})

test('document link 200: each of two files in an export has its own bytes', async () => {
  const as = fixtures.ada.live
  const found = await reserveFile(fixtures, { as, patient })
  const longer = Buffer.concat([photo, Buffer.from('more')])
  await uploadFile(fixtures, found, longer)
  const other = await invokeOk(fixtures, 'confirmFile', {
    as,
    id: found.id,
    body: confirmation(patient, { filename: 'other.png' }),
  })
  await scanAll(fixtures)
  const { id } = await invokeOk(fixtures, 'createExport', { as, id: patient })
  const { documents } = await invokeOk(fixtures, 'downloadExport', { as, id })
  const bytesOf = async (one: { file: string; url: string }) => [
    one.file,
    Buffer.from(await (await open(one.url)).arrayBuffer()),
  ]
  const all = await Promise.all(documents.map(bytesOf))
  expect(Object.fromEntries(all)).toEqual({ [file]: photo, [other.id]: longer })
})

const change = (statement: Statement) => queryAsOwner(fixtures, statement)
const ofAda = () => sql`mode = 'live' and integration = ${fixtures.ada.integration}`
const isOfClinic = () => sql`${ofAda()} and organization = (
  select t.organization from live.tenants t join live.files f on f.tenant = t.id
   where f.id = ${file})`
const isOfFile = () => sql`id = (select tenant from live.files where id = ${file})`
const revocations: [string, () => Promise<unknown>, (() => Promise<unknown>) | null][] = [
  [
    'the export',
    // The same patient's newer document keeps its link.
    async () => {
      await invokeOk(fixtures, 'createExport', { as: fixtures.ada.live, id: patient })
      await change(
        sql`update live.exports set expires_at = now() - interval '1 ms' where id = ${job}`,
      )
    },
    null,
  ],
  ['the file', () => change(sql`delete from live.files where id = ${file}`), null],
  [
    'a file that the clinic removed',
    () =>
      change(sql`
        update live.files set status = 'removed', filename = null, removal_reason = 'x',
               removal_asked_by = 'x', removal_asked_by_name = 'x', removal_asked_at = now(),
               removed_by = 'x', removed_by_name = 'x', removed_at = now() where id = ${file}`),
    null,
  ],
  [
    'the patient',
    () => invokeOk(fixtures, 'deletePatient', { as: fixtures.ada.live, id: patient }),
    null,
  ],
  [
    'the grant',
    // Links from another integration's or clinic's exports keep working.
    async () => {
      const { integration } = fixtures.ada
      const slug = `clinic-${crypto.randomUUID()}`
      await fixtures.owner.use(async connection => {
        const organization = await openOrganization(connection, 'Another clinic', slug)
        await grant(connection, { integration, organization, mode: 'live' })
      })
      await change(sql`update auth.grants set status = 'revoked' where ${isOfClinic()}`)
    },
    async () => {
      await change(sql`update auth.grants set status = 'revoked' where ${ofAda()}`)
      await change(sql`update auth.grants set status = 'active' where ${isOfClinic()}`)
    },
  ],
  [
    'the agreement',
    () => change(sql`update auth.agreements set terminated_at = now()`),
    () => change(sql`update auth.agreements set terminated_at = null`),
  ],
  [
    'the connection of the clinic',
    () => change(sql`update live.tenants set retired_at = now() where ${isOfFile()}`),
    () => change(sql`update live.tenants set retired_at = null where ${isOfFile()}`),
  ],
  [
    'the scan',
    () => change(sql`update live.files set scan = 'pending', pages = null where id = ${file}`),
    () => change(sql`update live.files set scan = 'clean', pages = 1 where id = ${file}`),
  ],
]
test.each(revocations)('document link 404: %s has ended', async (_, end, restore) => {
  expect((await open()).status).toBe(200)
  await end()
  expect((await open()).status).toBe(404)
  const refused = { outcome: 'refused', status: 404, code: 'not_found' }
  expect((await audited()).at(-1)).toMatchObject(refused)
  if (!restore) return
  await restore()
  expect((await open()).status).toBe(200)
})

test('document link 404: a forged link, or an upload’s link', async () => {
  const { upload_url } = await reserveFile(fixtures, { as: fixtures.ada.live })
  const upload = upload_url.replace('/uploads/', '/documents/')
  for (const wrong of [
    `${link}A`,
    link.slice(0, -1),
    `${link.slice(0, -30)}${'A'.repeat(30)}`,
    upload,
  ]) {
    expect((await open(wrong)).status).toBe(404)
  }
})
