import { acpItem } from '#contract/site/acp.ts'
import type { Fault } from './refusals.ts'

// Reads the bodies of every date of the protocol. What is not named here is ignored, payment data
// above all: nothing of it is kept, and nothing of it comes back.

export type Body = Readonly<Record<string, unknown>>

/** A person as a body names them, in the protocol's names; only what is text. */
export type Named = Readonly<Partial<Record<BuyerField, string>>>

const buyerFields = ['first_name', 'last_name', 'full_name', 'email', 'phone_number'] as const
type BuyerField = (typeof buyerFields)[number]

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The lines of a cart: `items` until 2026-01-16, `line_items` since, with or without a quantity,
 * and the line of a session sent back. One call for one person is all there is to have.
 */
export function faultsOfLines(body: Body, areWanted: boolean): Fault[] {
  const name =
    body['items'] !== undefined && body['line_items'] === undefined ? 'items' : 'line_items'
  const lines = body[name]
  const at = `$.${name}`
  if (lines === undefined) {
    const message = `${name} is missing: send [{"id":"${acpItem.id}"}].`
    return areWanted ? [{ code: 'missing', param: at, message }] : []
  }
  if (!Array.isArray(lines)) return [invalid(at, `${name} is not a list.`)]
  if (lines.length === 0) {
    return [{ code: 'missing', param: at, message: `${name} is empty: add ${acpItem.id}.` }]
  }
  if (lines.length > 1) return [invalid(`${at}[1]`, onlyOne)]
  return faultsOfLine(lines[0], `${at}[0]`)
}

const onlyOne = 'There is one call for one person: send one line, with a quantity of 1.'

function faultsOfLine(line: unknown, at: string): Fault[] {
  if (!isObject(line)) return [invalid(at, 'The line is not an object.')]
  const isNested = isObject(line['item'])
  const id = isObject(line['item']) ? line['item']['id'] : line['id']
  const idAt = isNested ? `${at}.item.id` : `${at}.id`
  const inner = isObject(line['item']) ? line['item']['quantity'] : undefined
  const quantity = line['quantity'] ?? inner
  const faults: Fault[] = []
  if (id === undefined) faults.push({ code: 'missing', param: idAt, message: 'The id is missing.' })
  else if (id !== acpItem.id) {
    const message = `There is no such item. The one there is: ${acpItem.id}.`
    faults.push({ code: 'invalid_item_id', param: idAt, message })
  }
  if (quantity !== undefined && quantity !== 1) faults.push(invalid(`${at}.quantity`, onlyOne))
  return faults
}

const invalid = (param: string, message: string): Fault => ({ code: 'invalid', param, message })

/** Who a body names, and what of it is no text. */
export function readBuyer(body: Body): { buyer: Named | undefined; faults: Fault[] } {
  const sent = body['buyer']
  if (sent === undefined || sent === null) return { buyer: undefined, faults: [] }
  if (!isObject(sent)) {
    return { buyer: undefined, faults: [invalid('$.buyer', 'buyer is not an object.')] }
  }
  const buyer: Partial<Record<BuyerField, string>> = {}
  const faults: Fault[] = []
  for (const field of buyerFields) {
    const value = sent[field]
    if (typeof value === 'string') buyer[field] = value
    else if (value !== undefined && value !== null) {
      faults.push(invalid(`$.buyer.${field}`, `buyer.${field} is not a text.`))
    }
  }
  return { buyer, faults }
}

/** Which company the person speaks for (since 2026-01-30), and what they would like to say. */
export function readMore(body: Body): { company?: string; note?: string } {
  const { buyer, order_notes: note } = body
  const company =
    isObject(buyer) && isObject(buyer['company']) ? buyer['company']['name'] : undefined
  return {
    ...(typeof company === 'string' && company !== '' ? { company } : {}),
    ...(typeof note === 'string' && note !== '' ? { note } : {}),
  }
}

/** The first name, which some dates of the protocol know only as a part of the whole. */
export function namesOf(buyer: Named): { firstName: string; lastName?: string } {
  const whole = (buyer.full_name ?? '').trim().split(/\s+/)
  const first = buyer.first_name ?? whole[0] ?? ''
  const last = buyer.last_name ?? (buyer.first_name === undefined ? whole.slice(1).join(' ') : '')
  return last.trim() === '' ? { firstName: first } : { firstName: first, lastName: last }
}
