// A clinic whose prescriptions go to a pharmacy: the connection, approved cases, the worker's job
// and the update endpoint, for tests.

import { afterAll, beforeAll } from 'bun:test'
import { HttpRequest, newRequestId } from '#http/http-request.ts'
import ipaddr from 'ipaddr.js'
import { newId } from '#auth/ids.ts'
import { randomHalf } from '#contract/ids.ts'
import { now, randomBytes } from '#database/clock.ts'
import { sql } from '#database/sql.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { invokeOk, rivera, semaglutide } from '../../testing/call.ts'
import type { Fixtures } from '../../testing/fixtures.ts'
import { openTestConsole, type StaffMember } from '../../testing/staff.ts'
import { newSecret } from '../../webhooks/secret.ts'
import { secretPurpose } from '../connection.ts'
import { pharmacyEndpoint } from '../endpoint.ts'
import { httpPharmacy } from '../http-provider.ts'
import { openPharmacyPool, type PharmacyParts, transmitDue } from '../transmit.ts'
import { openDouble, signedUpdate } from './double.ts'

const clock = { now, fresh: () => randomHalf(randomBytes(16)) }

/** This machine's addresses, where the double listens. */
const loopback = [[ipaddr.parse('127.0.0.1'), 32] as const]

export const outgoingTo = (seconds: number) => ({
  seconds,
  ca: undefined,
  addresses: { resolve: async () => [], allowed: loopback },
})

export type TransmissionRow = {
  status: string
  attempts: number
  error: string | null
  http_status: number | null
  detail: string | null
  reference: string | null
  lease: string | null
}

export async function openPharmacyClinic(fixtures: Fixtures, seconds = 2) {
  const secret = newSecret(randomBytes)
  const double = openDouble(() => secret)
  const { encryption } = fixtures.context.webhooks
  const staff = openTestConsole(fixtures)
  const pool = openPharmacyPool(fixtures.database.urls.pharmacy, 8)
  const provider = httpPharmacy({ outgoing: outgoingTo(seconds), now })
  const parts: PharmacyParts = { pool, encryption, provider }
  const doctor = await staff.hire(['clinician', 'pharmacy', 'nurse'], { states: ['TX', 'CA'] })
  const post = openPost(fixtures, pool)
  let connection = ''
  return {
    secret,
    double,
    staff,
    doctor,
    parts,
    post,
    ...readers(fixtures),
    connection: () => connection,
    approve: (by: StaffMember = doctor) => approve(fixtures, staff, by),
    async connect(url = double.url, organization = fixtures.clinic) {
      connection = await connect(fixtures, { url, organization, secret })
    },
    send(update: object, { id = newId('request'), at = new Date(), by = secret } = {}) {
      const { body, headers } = signedUpdate(by, update, { id, at })
      return post(connection, body, headers)
    },
    transmit: (others: Partial<PharmacyParts> = {}) =>
      transmitDue({ ...parts, ...others }, clock, new AbortController().signal),
    async close() {
      await Promise.all([double.stop(), pool.close(), staff.close()])
    },
  }
}

export type PharmacyClinic = Awaited<ReturnType<typeof openPharmacyClinic>>

/** Opens a clinic with a connected pharmacy for a file's tests. */
export function usePharmacyClinic(fixtures: Fixtures): PharmacyClinic {
  const clinic = {} as PharmacyClinic
  beforeAll(async () => {
    Object.assign(clinic, await openPharmacyClinic(fixtures))
    await clinic.connect()
  })
  afterAll(() => clinic.close())
  return clinic
}

type Connected = { url: string; organization: string; secret: string }

/** Returns the connection's ID. */
async function connect(fixtures: Fixtures, { url, organization, secret }: Connected) {
  const id = newId('pharmacy')
  const sealed = fixtures.context.webhooks.encryption.encrypt(secretPurpose(id), secret)
  await queryAsOwner(
    fixtures,
    sql`insert into pharmacy.connections (id, organization, name, url, secret)
        values (${id}, ${organization}, 'Example Pharmacy', ${url}, ${sealed})`,
  )
  return id
}

type Staff = ReturnType<typeof openTestConsole>

/** Creates a case and approves it, which creates its order. */
async function approve(fixtures: Fixtures, staff: Staff, by: StaffMember) {
  const call = { as: fixtures.ada.live, organization: by.organization }
  const { id: patient } = await invokeOk(fixtures, 'createPatient', { ...call, body: rivera })
  const consent_ids: string[] = []
  for (const kind of ['telehealth', 'privacy']) {
    const consent = { ...call, id: patient, body: { kind, version: '2026-09-01' } }
    consent_ids.push((await invokeOk(fixtures, 'recordConsent', consent)).id)
  }
  const filed = { patient, consent_ids, requested_medications: [{ medication_id: semaglutide }] }
  const { id, updated_at } = await invokeOk(fixtures, 'createCase', { ...call, body: filed })
  const approved = await staff.ok('approveCase', { as: by, id, body: { version: updated_at } })
  const [order = '', prescription = ''] = [approved.order_ids[0], approved.prescription_ids[0]]
  return { case: id, order, prescription } as Record<'case' | 'order' | 'prescription', string>
}

/** Sends bytes to the update endpoint. */
function openPost(fixtures: Fixtures, pool: PharmacyParts['pool']) {
  const endpoint = pharmacyEndpoint(fixtures.context, pool)
  return async (to: string, body: string, headers: Record<string, string>) => {
    const url = `http://localhost/pharmacies/${to}/updates`
    const raw = new Request(url, { method: 'POST', body, headers })
    const peers = { requestIP: () => null }
    const request = new HttpRequest(raw, newRequestId(), peers, () => '203.0.113.80')
    request.params = { connection: to }
    const answer = await endpoint.answer(request)
    return { status: answer.status, body: await answer.json() }
  }
}

/** Reads an order's rows from the database. */
const readers = (fixtures: Fixtures) => ({
  /** Makes this much time appear to have passed. */
  wait: (seconds: number) =>
    queryAsOwner(
      fixtures,
      sql`update pharmacy.transmissions set due_at = due_at - ${seconds}::int * interval '1 second'`,
    ),
  async transmission(order: string): Promise<TransmissionRow | undefined> {
    const [row] = await queryAsOwner<TransmissionRow>(
      fixtures,
      sql`select status, attempts, error, http_status, detail, reference, lease
            from pharmacy.transmissions where "order" = ${order}`,
    )
    return row
  },
  async statusOf(order: string): Promise<string> {
    const [row] = await queryAsOwner<{ status: string }>(
      fixtures,
      sql`select status from live.orders where id = ${order}`,
    )
    return row?.status ?? ''
  },
  async eventsOf(order: string): Promise<string[]> {
    const rows = await queryAsOwner<{ type: string }>(
      fixtures,
      sql`select type from live.events where resource_id = ${order} order by id`,
    )
    return rows.map(({ type }) => type)
  },
})
