// A consult over HTTP: once as printed in the README, and once step by step.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { openShell, typed } from './guides/run.ts'
import { newcomer, server, root, workingDir } from './servers.ts'

// Run in order, so the README's consult runs on an empty sandbox, as for a new reader.
test.describe.configure({ mode: 'default' })

const medication = 'med_01ke5q8600cs8dx2pfwah5v0tz'
const ada = {
  first_name: 'Ada',
  last_name: 'Rivera',
  date_of_birth: '1988-03-14',
  sex_at_birth: 'female',
  email: 'ada.rivera@example.com',
  phone: '+14155550142',
  address: {
    line1: '1600 Stockton Street',
    city: 'San Francisco',
    state: 'CA',
    postal_code: '94133',
  },
}

type Body = Record<string, unknown> & { id: string; status: string }
type Event = {
  type: string
  created_at: string
  status: string
  previous_status: string | null
  resource: { type: string; id: string }
}

async function call(method: string, where: string, body?: object) {
  const { url, key } = server()
  const answer = await fetch(url + where, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

async function must(status: number, where: string, body?: object): Promise<Body> {
  const answer = await call('POST', where, body)
  expect(answer.status, `${where}: ${answer.text}`).toBe(status)
  return JSON.parse(answer.text)
}

/** Returns only these resources' events, because other scenarios write as the same tenant. */
async function eventsOf(made: ReadonlySet<string>): Promise<Event[]> {
  const all: Event[] = []
  for (let more = true; more;) {
    const since = all.at(-1)?.created_at
    const position = since === undefined ? '' : `&since=${encodeURIComponent(since)}`
    const page: { data: Event[]; has_more: boolean } = JSON.parse(
      (await call('GET', `/v1/events?limit=100${position}`)).text,
    )
    all.push(...page.data)
    more = page.has_more
  }
  const moments = all.map(event => event.created_at)
  expect(moments).toEqual([...new Set(moments)].sort())
  return all.filter(event => made.has(event.resource.id))
}

const transitions = (events: readonly Event[]) =>
  events.map(({ type, previous_status: from, status: to }) => `${type} ${from} → ${to}`)

const readme = readFileSync(path.join(root, 'README.md'), 'utf8')

/** The shell block with the first request, as a README reader pastes it. */
function firstCall(): string {
  const blocks = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].map(found => found[1] ?? '')
  const call = blocks.find(block => block.includes('KEY='))
  expect(call, 'the README shows how to read the key').toBeDefined()
  return `set -eu\n${call}`
}

test('README: the first request works as printed', async () => {
  const hasCurl = spawnSync('curl', ['--version']).status === 0
  const mayMiss = process.env.CI !== 'true'
  if (!hasCurl && mayMiss) process.stdout.write('skipped: curl is not installed\n')
  test.info().skip(!hasCurl && mayMiss, 'curl is not installed')

  const who = newcomer()
  const shell = openShell(process.env, who, workingDir)
  const { stdout } = await typed(firstCall(), workingDir, shell, who)
  const answer: Body = JSON.parse(stdout)
  expect(answer.id).toMatch(/^org_/)
  expect(answer['scopes']).toContain('cases:write')
})

test('README: the commands in its table exist, and respond to an operator', async () => {
  const commands = [...readme.matchAll(/^\| `(npm [^`]+)` \|/gm)].map(found => found[1] ?? '')
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  )
  const names = commands.map(command => command.replace(/^npm (run )?/, '').split(' ')[0] ?? '')
  expect(names).toEqual(expect.arrayContaining(['start', 'test', 'check', 'admin']))
  expect(names.filter(name => scripts[name] === undefined)).toEqual([])

  const who = newcomer()
  const shell = openShell(process.env, who, workingDir)
  const { stdout, status } = await typed('npm run admin -- keys list', workingDir, shell, who)
  expect([status, stdout]).toEqual([0, expect.stringContaining('npm start')])
})

test('consult: from a patient to a delivered package, with its sixteen events', async () => {
  const patient = await must(201, '/v1/patients', ada)
  const consents: string[] = []
  for (const kind of ['telehealth', 'privacy']) {
    const where = `/v1/patients/${patient.id}/consents`
    const consent = await must(201, where, { kind, version: '2026-09-01' })
    expect(consent.status).toBe('current')
    consents.push(consent.id)
  }
  const filed = await must(201, '/v1/cases', {
    patient: patient.id,
    consent_ids: consents,
    requested_medications: [{ medication_id: medication }],
  })
  expect(filed.status).toBe('queued')

  const decision = `/v1/test/cases/${filed.id}/decision`
  const asked = await must(200, decision, {
    decision: 'needs_info',
    target: 'patient',
    question: 'Since when?',
  })
  expect(asked.status).toBe('waiting_on_patient')
  const answered = await must(200, `/v1/cases/${filed.id}/answers`, {
    answers: [{ answer: 'Since May.' }],
  })
  expect(answered.status).toBe('in_review')
  const approved = await must(200, decision, { decision: 'approve' })
  expect(approved.status).toBe('approved')

  const tracking = { carrier: 'usps', number: '9400100000000000008812' }
  await must(200, `/v1/test/cases/${filed.id}/ship`, { tracking })
  await must(200, `/v1/test/cases/${filed.id}/deliver`)

  const written = [approved['prescription_ids'], approved['order_ids']].flat().map(String)
  expect(written.map(id => id.split('_')[0])).toEqual(['rx', 'ord'])
  const made = new Set([patient.id, ...consents, filed.id, ...written])
  expect(transitions(await eventsOf(made))).toEqual([
    'patient.created.v1 null → active',
    'consent.recorded.v1 null → current',
    'consent.recorded.v1 null → current',
    'case.queued.v1 null → queued',
    'case.in_review.v1 queued → in_review',
    'case.waiting_on_patient.v1 in_review → waiting_on_patient',
    'case.question_asked.v1 waiting_on_patient → waiting_on_patient',
    'case.in_review.v1 waiting_on_patient → in_review',
    'case.message_created.v1 in_review → in_review',
    'case.approved.v1 in_review → approved',
    'prescription.created.v1 null → active',
    'order.created.v1 null → created',
    'order.at_pharmacy.v1 created → at_pharmacy',
    'order.shipped.v1 at_pharmacy → shipped',
    'prescription.updated.v1 active → filled',
    'order.delivered.v1 shipped → delivered',
  ])
  const again = await call('POST', decision, { decision: 'approve' })
  expect(again.status, 'what is decided stays decided').toBe(409)
  expect(await eventsOf(made)).toHaveLength(16)
})

test('first day: no key, a mistyped key, a misspelled field, a repeated call', async () => {
  const { url, key } = server()
  for (const headers of [{}, { authorization: `Bearer ${key.slice(0, -1)}_` }]) {
    const refused = await fetch(`${url}/v1/organization`, { headers })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(await refused.json()).toMatchObject({ code: 'unauthorized' })
  }
  const organization: unknown = JSON.parse((await call('GET', '/v1/organization')).text)
  expect(organization).toMatchObject({ kind: 'DIRECT', status: 'active', mode: 'test' })

  const { first_name, ...rest } = ada
  const misspelt = await call('POST', '/v1/patients', { ...rest, frist_name: first_name })
  expect(misspelt.status).toBe(400)
  expect(JSON.parse(misspelt.text)).toMatchObject({
    code: 'invalid_request',
    errors: expect.arrayContaining([
      expect.objectContaining({ pointer: '#/frist_name', code: 'unknown_field' }),
      expect.objectContaining({ pointer: '#/first_name', code: 'required' }),
    ]),
  })

  const send = (idempotencyKey: string | undefined, body: object) =>
    fetch(`${url}/v1/patients`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(body),
    })
  expect(await (await send(undefined, ada)).json()).toMatchObject({
    code: 'idempotency_key_required',
  })
  const once = randomUUID()
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(once, ada)))
  const bodies = await Promise.all(answers.map(answer => answer.text()))
  // A request that arrives while the first is running gets a 409. The other requests get the first
  // request's response.
  const waiting = answers.filter(answer => answer.status === 409)
  const done = answers.filter(answer => answer.status === 201)
  expect(waiting.length + done.length).toBe(20)
  const heard = bodies.filter((_, at) => answers[at]?.status === 201)
  expect(new Set(heard).size, 'twenty at once are one patient').toBe(1)
  const first = done.filter(answer => answer.headers.get('idempotent-replayed') === null)
  expect(first).toHaveLength(1)
  const other = await send(once, { ...ada, last_name: 'Stone' })
  expect([other.status, Object(await other.json()).code]).toEqual([422, 'idempotency_key_reused'])
})
