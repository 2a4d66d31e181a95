// The in-process sandbox's rows, in ID order.

import { examples } from '../generated/sandbox.ts'
import type { Event, EventType } from '../generated/schemas/events.ts'
import { now } from '../runtime.ts'
import { invalid, Refusal } from './refusal.ts'

export type Row = { id: string; [field: string]: unknown }

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** An ID in the API's format: a timestamp in milliseconds, then a unique part. */
export function idOf(prefix: string, moment: number, count: number): string {
  const text = (value: number, length: number) => {
    let written = ''
    for (let rest = value; written.length < length; rest = Math.floor(rest / 32)) {
      written = digits.charAt(rest % 32) + written
    }
    return written
  }
  return `${prefix}_${text(moment, 10)}${text(count, 16)}`
}

export const textOf = (moment: number): string => new Date(moment).toISOString()

export class Store {
  readonly #rows = new Map<string, Row>()
  readonly #events: Event[] = []
  #moment = 0
  #count = 0

  /** A timestamp later than every earlier timestamp. */
  next(): { milliseconds: number; text: string } {
    this.#moment = Math.max(this.#moment + 1, now())
    return { milliseconds: this.#moment, text: textOf(this.#moment) }
  }

  newId(prefix: string): string {
    return idOf(prefix, this.next().milliseconds, this.#count++)
  }

  add<T extends Row>(prefix: string, fields: Omit<T, 'id'>): T {
    const row = { id: this.newId(prefix), ...fields } as unknown as T
    this.#rows.set(row.id, row)
    return row
  }

  /** Replaces the row instead of mutating it, so earlier responses don't change. */
  change<T extends Row>(row: T, fields: Partial<T>): T {
    const changed = { ...row, ...fields }
    this.#rows.set(row.id, changed)
    return changed
  }

  remove(id: string): void {
    this.#rows.delete(id)
  }

  /** Deletes everything except the webhook endpoints, which a reset keeps. */
  clear(): number {
    const ids = [...this.#rows.keys()].filter(id => !id.startsWith('we_'))
    for (const id of ids) this.#rows.delete(id)
    return ids.length
  }

  find<T extends Row>(prefix: string, id: unknown): T {
    const row = typeof id === 'string' && id.startsWith(`${prefix}_`) && this.#rows.get(id)
    if (!row) throw new Refusal('not_found')
    return row as T
  }

  /** Finds a row that the request body names. Another patient's case counts as unknown. */
  named<T extends Row>(noun: 'patient' | 'case', id: string, patient?: string): T {
    const row = this.#rows.get(id)
    const isKind = row?.id.startsWith(noun === 'patient' ? 'pat_' : 'case_')
    if (isKind && (patient === undefined || row?.['patient'] === patient)) return row as T
    const whose = noun === 'patient' ? 'one of your patients' : 'a case of this patient'
    throw invalid(`#/${noun}`, 'unknown_reference', `${noun} must be the ID of ${whose}.`)
  }

  all<T extends Row>(prefix: string, isWanted: (row: T) => boolean = () => true): T[] {
    const rows = [...this.#rows.values()].filter(({ id }) => id.startsWith(`${prefix}_`)) as T[]
    return rows.filter(isWanted).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  event(type: EventType, resource: { id: string }, status: string, previous: string | null): Event {
    const event = {
      id: this.newId('evt'),
      type,
      created_at: this.next().text,
      organization: examples.Organization.id,
      mode: 'test',
      resource: { type: type.split('.')[0] ?? '', id: resource.id },
      status,
      previous_status: previous,
    } as Event
    this.#events.push(event)
    return event
  }

  get events(): readonly Event[] {
    return this.#events
  }
}
