// Decided in docs/decisions/0027-serve-five-checkout-dates.md.
import { type AcpDate, acpItem, messageCodeIn } from '#contract/site/acp.ts'
import company from '#content/site.config.ts'

// Formats a cart for each protocol version, which is a date. The schemas allow no unknown fields,
// so later versions' fields are left out. Dates compare as strings.

/** A version-independent checkout session. */
export type Cart = {
  readonly id: string
  readonly status: 'ready_for_payment' | 'not_ready_for_payment' | 'completed' | 'canceled'
  /** The buyer as sent, in the protocol's field names. */
  readonly buyer?: Readonly<Record<string, string>>
  readonly notes: readonly Note[]
  readonly order?: Order
}

export type Note =
  | { readonly type: 'info'; readonly content: string }
  | {
      readonly type: 'error'
      readonly code: 'missing' | 'invalid'
      readonly param: string
      readonly content: string
    }

type Order = {
  readonly id: string
  /** The person's link to pick a time, reschedule or cancel the call. */
  readonly url: string
  /** Whether a time has been picked. */
  readonly confirmed: boolean
}

const line = 'li_1'
const call = {
  name: `Discovery call (${company.booking.minutes} minutes)`,
  description: 'A free introductory call. It is a sales conversation, not a medical appointment.',
}
const delivery = {
  title: 'Booking page',
  text: 'The person picks a time there. The invitation goes to their email address.',
}

const total = (type: string, display_text: string) => ({ type, display_text, amount: 0 })
const totals = [total('items_base_amount', call.name), total('total', 'Total')]

export function sessionBody(cart: Cart, date: AcpDate, site: string): Record<string, unknown> {
  return {
    id: cart.id,
    ...(date >= '2026-01-30' ? { protocol: { version: date } } : {}),
    status: cart.status,
    currency: acpItem.currency,
    ...(date >= '2026-01-30'
      ? { locale: acpItem.locale, capabilities: { payment: { handlers: [] } } }
      : {}),
    ...buyerIn(date, cart),
    line_items: [lineItem(date)],
    fulfillment_options: [option(date)],
    ...chosen(date),
    totals,
    messages: cart.notes.map(note => message(note, date)),
    links: links(date, site),
    ...(date >= '2026-01-30' ? { continue_url: `${site}/booking` } : {}),
    ...(cart.order === undefined ? {} : { order: orderOf(cart.order, cart.id, date, site) }),
  }
}

const earlyMembers = ['first_name', 'last_name', 'email']

/**
 * The buyer as sent. Until 2026-01-16, the schema requires both names and a valid address, and has
 * no full name. Incomplete buyers are left out, because completion requires only a first name and
 * an address.
 */
function buyerIn(date: AcpDate, { buyer, notes }: Cart): object {
  if (buyer === undefined || date >= '2026-01-30') return buyer === undefined ? {} : { buyer }
  const { full_name: _full, ...early } = buyer
  const isWhole = earlyMembers.every(name => early[name] !== undefined)
  const isWrong = notes.some(note => note.type === 'error' && note.param === '$.buyer.email')
  return isWhole && !isWrong ? { buyer: early } : {}
}

function lineItem(date: AcpDate): object {
  if (date >= '2026-01-30') {
    return {
      id: line,
      item: { id: acpItem.id, name: call.name, unit_amount: 0 },
      quantity: 1,
      ...call,
      unit_amount: 0,
      max_quantity_per_order: 1,
      totals,
    }
  }
  const sums = { base_amount: 0, discount: 0, subtotal: 0, tax: 0, total: 0 }
  const item = { id: acpItem.id, quantity: 1 }
  return { id: line, item, ...sums, ...(date >= '2025-12-12' ? { ...call, unit_amount: 0 } : {}) }
}

function option(date: AcpDate): object {
  const named = { type: 'digital', id: acpItem.delivery, title: delivery.title }
  return date >= '2026-01-16'
    ? { ...named, description: delivery.text, totals: [total('total', 'Total')] }
    : { ...named, subtitle: delivery.text, subtotal: 0, tax: 0, total: 0 }
}

function chosen(date: AcpDate): object {
  if (date === '2025-09-29') return { fulfillment_option_id: acpItem.delivery }
  if (date < '2026-01-30') {
    const digital = { option_id: acpItem.delivery, item_ids: [acpItem.id] }
    return { selected_fulfillment_options: [{ type: 'digital', digital }] }
  }
  const flat = { type: 'digital', option_id: acpItem.delivery, item_ids: [line] }
  return { selected_fulfillment_options: [flat] }
}

function links(date: AcpDate, site: string): object[] {
  const legal = [
    { type: 'terms_of_use', url: `${site}/terms` },
    { type: 'privacy_policy', url: `${site}/privacy` },
  ]
  return date >= '2026-01-30' ? [...legal, { type: 'support', url: `${site}/booking` }] : legal
}

function message(note: Note, date: AcpDate): object {
  const content = { content_type: 'plain', content: note.content }
  if (note.type === 'info') return { type: 'info', ...content }
  return {
    type: 'error',
    code: messageCodeIn(date, note.code),
    param: note.param,
    ...content,
    ...(date >= '2026-01-30' ? { severity: 'high' } : {}),
    ...(date >= '2026-04-17' ? { resolution: 'requires_buyer_input' } : {}),
  }
}

function orderOf(order: Order, session: string, date: AcpDate, site: string): object {
  const { id, url, confirmed } = order
  const bare = { id, checkout_session_id: session, permalink_url: `${site}/booking` }
  if (date < '2026-01-30') return bare
  const early = { ...bare, status: 'confirmed', support: { email: company.email.sales } }
  if (date < '2026-04-17') return early
  const quantity = { ordered: 1, current: 1, fulfilled: 0 }
  return {
    type: 'order',
    ...early,
    line_items: [
      { id: line, title: call.name, quantity, unit_price: 0, subtotal: 0, status: 'processing' },
    ],
    fulfillments: [
      {
        id: 'ful_1',
        type: 'digital',
        status: confirmed ? 'processing' : 'pending',
        line_items: [{ id: line, quantity: 1 }],
        digital_delivery: { access_url: url },
      },
    ],
    totals: [total('total', 'Total')],
  }
}
