import { acpItem } from '#contract/site/acp.ts'
import type { Fault } from './refusals.ts'

// Reads request bodies in every protocol version. Ignores other fields, especially payment data,
// which is neither stored nor returned.

export type Body = Readonly<Record<string, unknown>>

/** A body's buyer in the protocol's field names, without values that aren't strings. */
export type SentBuyer = Readonly<Partial<Record<BuyerField, string>>>

const buyerFields = ['first_name', 'last_name', 'full_name', 'email', 'phone_number'] as const
type BuyerField = (typeof buyerFields)[number]

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the errors in the cart's lines. Requests name the lines `items` until 2026-01-16 and
 * `line_items` since then. A line may have a quantity, and may have the nested form that an earlier
 * response returned. The only valid cart is one call.
 */
export function faultsOfLines(body: Body, areRequired: boolean): Fault[] {
  const name =
    body['items'] !== undefined && body['line_items'] === undefined ? 'items' : 'line_items'
  const lines = body[name]
  const at = `$.${name}`
  if (lines === undefined) {
    const message = `${name} must be present: send [{"id":"${acpItem.id}"}].`
    return areRequired ? [{ code: 'missing', param: at, message }] : []
  }
  if (!Array.isArray(lines)) return [invalid(at, `${name} must be a JSON array.`)]
  if (lines.length === 0) {
    return [
      { code: 'missing', param: at, message: `${name} must have one item: add ${acpItem.id}.` },
    ]
  }
  if (lines.length > 1) return [invalid(`${at}[1]`, onlyOne)]
  return faultsOfLine(lines[0], `${at}[0]`)
}

const onlyOne = 'The cart must have one line with a quantity of 1: it is one call for one person.'

function faultsOfLine(line: unknown, at: string): Fault[] {
  if (!isObject(line)) return [invalid(at, 'The line must be a JSON object.')]
  const isNested = isObject(line['item'])
  const id = isObject(line['item']) ? line['item']['id'] : line['id']
  const idAt = isNested ? `${at}.item.id` : `${at}.id`
  const inner = isObject(line['item']) ? line['item']['quantity'] : undefined
  const quantity = line['quantity'] ?? inner
  const faults: Fault[] = []
  if (id === undefined)
    faults.push({ code: 'missing', param: idAt, message: `id must be ${acpItem.id}.` })
  else if (id !== acpItem.id) {
    const message = `id must be ${acpItem.id}, the only item.`
    faults.push({ code: 'invalid_item_id', param: idAt, message })
  }
  if (quantity !== undefined && quantity !== 1) faults.push(invalid(`${at}.quantity`, onlyOne))
  return faults
}

const invalid = (param: string, message: string): Fault => ({ code: 'invalid', param, message })

/** A body's buyer, with errors for values that aren't strings. */
export function readBuyer(body: Body): { buyer: SentBuyer | undefined; faults: Fault[] } {
  const sent = body['buyer']
  if (sent === undefined || sent === null) return { buyer: undefined, faults: [] }
  if (!isObject(sent)) {
    return { buyer: undefined, faults: [invalid('$.buyer', 'buyer must be a JSON object.')] }
  }
  const buyer: Partial<Record<BuyerField, string>> = {}
  const faults: Fault[] = []
  for (const field of buyerFields) {
    const value = sent[field]
    if (typeof value === 'string') buyer[field] = value
    else if (value !== undefined && value !== null) {
      faults.push(invalid(`$.buyer.${field}`, `buyer.${field} must be a string.`))
    }
  }
  return { buyer, faults }
}

/** The explicit consent in the body, its buyer or its metadata. Metadata is the only place where
 *  the protocol allows extra fields. Undefined if the body contains no consent. */
export function consentIn(body: Body): boolean | undefined {
  const stated = [body, body['buyer'], body['metadata']].flatMap(each => {
    const value = isObject(each) ? each['user_consent'] : undefined
    return value === undefined || value === null ? [] : [value]
  })
  return stated.length === 0 ? undefined : stated.every(value => value === true)
}

/** The buyer's company (since 2026-01-30) and note. */
export function readMore(body: Body): { company?: string; note?: string } {
  const { buyer, order_notes: note } = body
  const company =
    isObject(buyer) && isObject(buyer['company']) ? buyer['company']['name'] : undefined
  return {
    ...(typeof company === 'string' && company !== '' ? { company } : {}),
    ...(typeof note === 'string' && note !== '' ? { note } : {}),
  }
}

/** The buyer's names; some versions have only a full name. */
export function namesOf(buyer: SentBuyer): { firstName: string; lastName?: string } {
  const whole = (buyer.full_name ?? '').trim().split(/\s+/)
  const first = buyer.first_name ?? whole[0] ?? ''
  const last = buyer.last_name ?? (buyer.first_name === undefined ? whole.slice(1).join(' ') : '')
  return last.trim() === '' ? { firstName: first } : { firstName: first, lastName: last }
}
