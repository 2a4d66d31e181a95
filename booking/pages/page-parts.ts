// What the booking pages share: their dependencies, and how they read a form and answer.
import type { BookingManagement, BookingService } from '../booking-service.ts'
import { companyZone } from '../context.ts'
import type { IdempotencyStore } from '../idempotency/store.ts'
import type { Links } from '../links.ts'
import type { Opening } from '../opening.ts'
import { zoneNamed } from '../zones.ts'
import type { Layout, Page } from './layout.ts'

export type PageParts = {
  readonly bookingService: BookingService & BookingManagement
  readonly idempotencyStore: IdempotencyStore
  readonly links: Links
  readonly opening: Opening
  readonly layout: Layout
  /** The company's address in calendar entries. */
  readonly organizer: string
  now(): number
  randomBytes(count: number): Uint8Array
}

export type Values = URLSearchParams

/** The header on pages for dry runs, which store and send nothing. */
export const dryRunHeader = { 'service-dry-run': 'true' } as const

export const zoneIn = (values: Values): string =>
  zoneNamed(values.get('timezone') ?? '') ?? companyZone

/** The form's start as a timestamp. Null if the text isn't a start time. */
export function startIn(values: Values): string | null {
  const given = values.get('start') ?? ''
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(given) ? Date.parse(given) : Number.NaN
  return Number.isNaN(moment) ? null : new Date(moment).toISOString()
}

export const show = (parts: PageParts, page: Page) => parts.layout(page)

export const seeOther = (location: string) =>
  new Response(null, { status: 303, headers: { location } })
