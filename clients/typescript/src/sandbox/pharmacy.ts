// The in-process sandbox's clinician and pharmacy.

import { examples, transitions } from '../generated/sandbox.ts'
import type { Case } from '../generated/schemas/cases.ts'
import type { QuestionTarget } from '../generated/schemas/messages.ts'
import type { Order, OrderStatus } from '../generated/schemas/orders.ts'
import type { Patient } from '../generated/schemas/patients.ts'
import type { Prescription, PrescriptionStatus } from '../generated/schemas/prescriptions.ts'
import type { PlanLineParams, TestCaseDecideParams } from '../generated/schemas/sandbox.ts'
import { addMessage, type CaseRow, checked, completeLine, moveCase } from './cases.ts'
import type { Handlers, Input } from './handlers.ts'
import { invalid, Refusal } from './refusal.ts'
import type { Row, Store } from './store.ts'

type OrderRow = Order & Row
type PrescriptionRow = Prescription & Row

/** Creates the prescription and the order for one item of an approved plan. */
function prescribe(store: Store, of: CaseRow, line: NonNullable<Case['plan']>[number]) {
  const { name, form, strength } = examples.Medication
  const { address } = store.find<Patient & Row>('pat', of.patient)
  const { medication_id, quantity, refills, days_supply, directions } = line
  const { text, milliseconds } = store.next()
  const common = { case: of.id, patient: of.patient, medication_id, quantity }
  const expires = new Date(milliseconds)
  expires.setUTCFullYear(expires.getUTCFullYear() + 1)
  // A year after February 29 is February 28.
  if (expires.getUTCDate() !== new Date(milliseconds).getUTCDate()) expires.setUTCDate(0)
  const prescription = store.add<PrescriptionRow>('rx', {
    ...common,
    order: null,
    status: 'active',
    name,
    form,
    strength,
    refills,
    days_supply,
    directions,
    prescriber_name: 'Sandbox Clinician, MD',
    expires_at: expires.toISOString(),
    created_at: text,
    updated_at: text,
  })
  const order = store.add<OrderRow>('ord', {
    ...common,
    prescription: prescription.id,
    status: 'created',
    ship_to: address,
    tracking: null,
    reason: null,
    shipped_at: null,
    delivered_at: null,
    created_at: text,
    updated_at: text,
  })
  store.change(prescription, { order: order.id })
  store.event('prescription.created.v1', prescription, 'active', null)
  store.event('order.created.v1', order, 'created', null)
  return { prescription, order }
}

function approve(store: Store, one: CaseRow, lines: readonly PlanLineParams[]): CaseRow {
  const plan = lines.map((line, at) => ({
    dispensable: examples.Medication.dispensable,
    ...completeLine(line, `#/plan/${at}`),
  }))
  const approved = moveCase(store, one, 'approved', { plan, question: null })
  const made = plan.filter(line => line.dispensable).map(line => prescribe(store, approved, line))
  return store.change(approved, {
    prescription_ids: made.map(({ prescription }) => prescription.id),
    order_ids: made.map(({ order }) => order.id),
  })
}

function ask(store: Store, one: CaseRow, target: QuestionTarget, body: string): CaseRow {
  const message = addMessage(store, one, { kind: 'question', author: 'clinician', target, body })
  const question = { message: message.id, target, body, asked_at: message.created_at }
  const asked = moveCase(store, one, `waiting_on_${target}`, { question })
  store.event('case.question_asked.v1', asked, asked.status, asked.status)
  return asked
}

function decideCase({ store, path, body, operation }: Input): CaseRow {
  const { decision, plan, reason, target, question } = body as unknown as TestCaseDecideParams
  const found = checked(operation, store.find<CaseRow>('case', path['id']))
  const need = <T extends string>(value: T | undefined, name: string): T => {
    if (value !== undefined) return value
    throw invalid(`#/${name}`, 'required', `${name} must be present with ${decision}.`)
  }
  const one = found.status === 'in_review' ? found : moveCase(store, found, 'in_review')
  if (decision === 'approve') return approve(store, one, plan ?? one.requested_medications)
  if (decision === 'needs_info') {
    return ask(store, one, need(target, 'target'), need(question, 'question'))
  }
  return moveCase(store, one, 'declined', { reason: need(reason, 'reason'), question: null })
}

/** Moves every order of a case whose status allows it. Throws if there are no such orders. */
function moveOrders(
  { store, path, operation }: Input,
  status: OrderStatus,
  fields: (text: string) => Partial<Order>,
): CaseRow {
  const one = store.find<CaseRow>('case', path['id'])
  const { from = [] } = transitions[operation] ?? {}
  const orders = store.all<OrderRow>('ord', order => order.case === one.id)
  const movable = orders.filter(order => from.includes(order.status))
  if (movable.length === 0) {
    throw new Refusal('invalid_transition', {
      detail: 'No order of this case has a status that allows it.',
      resource: { type: 'case', id: one.id },
      current_status: one.status,
      allowed_from: from.toSorted(),
      orders: orders.map(order => ({ id: order.id, status: order.status })),
    })
  }
  for (const order of movable) moveOrder(store, order, status, fields(store.next().text))
  return one
}

/** A prescription's status after its order moves. */
const prescriptionAfter: Readonly<Partial<Record<OrderStatus, PrescriptionStatus>>> = {
  shipped: 'filled',
  failed: 'cancelled',
}

function moveOrder(
  store: Store,
  order: OrderRow,
  status: OrderStatus,
  fields: Partial<Order>,
): void {
  const isSent = status === 'shipped' && order.status !== 'at_pharmacy'
  const steps: OrderStatus[] = isSent ? ['at_pharmacy', status] : [status]
  let previous = order.status
  for (const step of steps) {
    store.event(`order.${step}.v1`, order, step, previous)
    previous = step
  }
  store.change(order, { ...fields, status, updated_at: store.next().text })
  const after = prescriptionAfter[status]
  if (after === undefined) return
  const prescription = store.find<PrescriptionRow>('rx', order.prescription)
  store.event('prescription.updated.v1', prescription, after, prescription.status)
  store.change(prescription, { status: after, updated_at: store.next().text })
}

const ofCase = <T extends { case: string } & Row>({ store, path }: Input, prefix: string): T[] => {
  const { id } = store.find('case', path['id'])
  return store.all<T>(prefix, one => one.case === id)
}

export const pharmacy: Handlers = {
  decideCase,
  shipCase: input =>
    moveOrders(input, 'shipped', shipped_at => ({
      shipped_at,
      reason: null,
      tracking: (input.body['tracking'] as Order['tracking'] | undefined) ?? null,
    })),
  deliverCase: input => moveOrders(input, 'delivered', delivered_at => ({ delivered_at })),
  blockCase: input =>
    moveOrders(input, 'blocked', () => ({ reason: String(input.body['reason']) })),
  failCase: input => moveOrders(input, 'failed', () => ({ reason: null })),
  listPrescriptions: input => ofCase<PrescriptionRow>(input, 'rx'),
  getPrescription: ({ store, path }) => store.find('rx', path['id']),
  listOrders: input => ofCase<OrderRow>(input, 'ord'),
  getOrder: ({ store, path }) => store.find('ord', path['id']),
  listEvents: ({ store, query }) =>
    store.events.filter(
      ({ created_at, type }) =>
        created_at > (query['since'] ?? '') && (query['type'] ?? type) === type,
    ),
  getEvent({ store, path }) {
    const event = store.events.find(({ id }) => id === path['id'])
    if (event === undefined) throw new Refusal('not_found')
    return event
  },
  resetSandbox: ({ store }) => ({ reset: true, resources_deleted: store.clear() }),
}
