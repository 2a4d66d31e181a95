// The visit that Ada Rivera books for the following week, and its charge. The invoice is older, and
// its only charge was reversed.

import type { Static } from 'typebox'
import type { Charge, Invoice, Usage } from '../api/billing.ts'
import type { JoinLink, SlotList, Visit } from '../api/visits.ts'
import { ids } from './resources.ts'

const inCalifornia = { state: 'CA', time_zone: 'America/Los_Angeles' }

export const slots: Static<typeof SlotList> = {
  data: [
    {
      id: 'slot_01m87bdw80b5ew752xevpywwjk',
      ...inCalifornia,
      starts_at: '2026-11-24T18:00:00.000Z',
      ends_at: '2026-11-24T18:30:00.000Z',
    },
    {
      id: 'slot_01m87evqw0b5ew752xevpywwjk',
      ...inCalifornia,
      starts_at: '2026-11-24T19:00:00.000Z',
      ends_at: '2026-11-24T19:30:00.000Z',
    },
  ],
  has_more: true,
}

export const visit: Static<typeof Visit> = {
  id: ids.visit,
  patient: ids.patient,
  case: ids.case,
  status: 'scheduled',
  ...inCalifornia,
  starts_at: '2026-11-24T18:00:00.000Z',
  ends_at: '2026-11-24T18:30:00.000Z',
  clinician_name: 'Sandbox Clinician, MD',
  join_opens_at: '2026-11-24T17:00:00.000Z',
  started_at: null,
  ended_at: null,
  created_at: '2026-11-20T15:12:31.700Z',
  updated_at: '2026-11-20T15:12:31.700Z',
}

export const cancelledVisit: Static<typeof Visit> = {
  ...visit,
  status: 'cancelled',
  ended_at: '2026-11-20T17:33:00.000Z',
  updated_at: '2026-11-20T17:33:00.000Z',
}

export const rescheduledVisit: Static<typeof Visit> = {
  ...visit,
  starts_at: '2026-11-24T19:00:00.000Z',
  ends_at: '2026-11-24T19:30:00.000Z',
  join_opens_at: '2026-11-24T18:00:00.000Z',
  updated_at: '2026-11-20T15:40:00.350Z',
}

export const startedVisit: Static<typeof Visit> = {
  ...visit,
  status: 'started',
  started_at: '2026-11-24T18:00:41.899Z',
  updated_at: '2026-11-24T18:00:41.899Z',
}

export const completedVisit: Static<typeof Visit> = {
  ...startedVisit,
  status: 'completed',
  ended_at: '2026-11-24T18:31:02.116Z',
  updated_at: '2026-11-24T18:31:02.116Z',
}

export const missedVisit: Static<typeof Visit> = {
  ...visit,
  status: 'no_show',
  ended_at: '2026-11-24T18:20:00.000Z',
  updated_at: '2026-11-24T18:20:00.000Z',
}

export const joinLink: Static<typeof JoinLink> = {
  visit: ids.visit,
  patient: ids.patient,
  url: 'https://visits.example.com/visits/join/5q8v0c1r7m3x9k2t',
  expires_at: '2026-11-24T18:10:00.000Z',
}

export const charge: Static<typeof Charge> = {
  id: ids.charge,
  kind: 'video_visit',
  status: 'pending',
  resource: { type: 'visit', id: ids.visit },
  amount: 4900,
  currency: 'USD',
  reverses: null,
  invoice: null,
  created_at: '2026-11-24T18:31:02.118Z',
}

export const usage: Static<typeof Usage> = {
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-12-01T00:00:00.000Z',
  data: [{ kind: 'video_visit', count: 12, amount: 58_800, currency: 'USD' }],
}

/** An invoice in a list, without its charges. */
export const listedInvoice: Static<typeof Invoice> = {
  id: ids.invoice,
  number: 'HARB-2026-000010',
  status: 'paid',
  period_start: '2026-10-01T00:00:00.000Z',
  period_end: '2026-11-01T00:00:00.000Z',
  currency: 'USD',
  total: 0,
  amount_due: 0,
  amount_paid: 0,
  issued_at: '2026-11-01T00:05:00.000Z',
  due_at: '2026-12-01T00:05:00.000Z',
  paid_at: '2026-11-01T00:05:00.000Z',
  created_at: '2026-11-01T00:05:00.000Z',
}

const invoiced: Static<typeof Charge> = {
  ...charge,
  id: 'chg_01m4xjdpep810p4ant9r9gp8xv',
  status: 'invoiced',
  resource: { type: 'visit', id: 'vis_01m4gfdbr0yps4bvaq24v59106' },
  invoice: ids.invoice,
  created_at: '2026-10-14T16:02:44.310Z',
}

export const invoice: Static<typeof Invoice> = {
  ...listedInvoice,
  charges: [
    invoiced,
    {
      ...invoiced,
      id: 'chg_01m5cffnw0kcyar2ddk27d7pxw',
      amount: -4900,
      reverses: invoiced.id,
      created_at: '2026-10-20T11:00:00.000Z',
    },
  ],
}
