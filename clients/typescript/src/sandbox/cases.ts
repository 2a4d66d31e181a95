// The in-process sandbox's cases and their messages.

import { examples, transitions } from '../generated/sandbox.ts'
import type {
  Answer,
  Case,
  CaseAnswerParams,
  CaseCreateParams,
  CaseStatus,
} from '../generated/schemas/cases.ts'
import type { File } from '../generated/schemas/files.ts'
import type { Message } from '../generated/schemas/messages.ts'
import type { Consent } from '../generated/schemas/patients.ts'
import type { Handlers } from './handlers.ts'
import { invalid, Refusal } from './refusal.ts'
import type { Row, Store } from './store.ts'

export type CaseRow = Case & Row
type MessageRow = Message & Row

/** Fills in a requested medication's catalog defaults. */
export function completeLine(line: { medication_id: string }, pointer: string) {
  const catalog = examples.Medication
  if (line.medication_id !== catalog.medication_id) {
    const message = 'medication_id must be an ID from GET /v1/medications.'
    throw invalid(`${pointer}/medication_id`, 'unknown_reference', message)
  }
  return {
    quantity: catalog.default_quantity,
    refills: 0,
    days_supply: catalog.default_days_supply,
    directions: catalog.default_directions,
    ...line,
  }
}

/** Throws if the case's status doesn't allow the operation. */
export function checked(operation: string, one: CaseRow): CaseRow {
  const { from = [], says = '' } = transitions[operation] ?? {}
  if (from.includes(one.status)) return one
  throw new Refusal('invalid_transition', {
    detail: `${says} The status of this case is ${one.status}.`,
    resource: { type: 'case', id: one.id },
    current_status: one.status,
    allowed_from: from.toSorted(),
  })
}

/** Changes a case's status and records an event. */
export function moveCase(
  store: Store,
  one: CaseRow,
  status: CaseStatus,
  fields: Partial<Case> = {},
) {
  store.event(`case.${status}.v1`, one, status, one.status)
  return store.change(one, { ...fields, status, updated_at: store.next().text })
}

export const closeCase = (store: Store, one: CaseRow, status: CaseStatus, reason: unknown) =>
  moveCase(store, one, status, { question: null, reason: (reason as string | undefined) ?? null })

export const addMessage = (store: Store, one: Case, fields: Partial<Message>): MessageRow =>
  store.add<MessageRow>('msg', {
    status: 'sent',
    case: one.id,
    kind: 'message',
    author: 'integration',
    target: null,
    body: '',
    created_at: store.next().text,
    ...fields,
  })

function say(store: Store, one: CaseRow, fields: Partial<Message>): MessageRow {
  const message = addMessage(store, one, fields)
  store.event('case.message_created.v1', one, one.status, one.status)
  return message
}

function createCase(store: Store, params: CaseCreateParams): CaseRow {
  const { id: patient } = store.named('patient', params.patient)
  const { consent_ids = [], answers = [], hold = false, files = [] } = params
  const isNamed = (one: Consent & Row) =>
    one.patient === patient && one.status === 'current' && consent_ids.includes(one.id)
  const kinds = new Set<string>(store.all('cons', isNamed).map(({ kind }) => kind))
  const missing = ['telehealth', 'privacy'].filter(kind => !kinds.has(kind))
  if (missing.length > 0) throw new Refusal('consent_required', { missing })
  const free = (one: File & Row) =>
    one.patient === patient && one.case === null && one.status === 'attached'
  const attached = files.map((id, at) => {
    const [file] = store.all<File & Row>('file', one => one.id === id && free(one))
    if (file) return file
    const message = `files[${at}] must be an attached file of this patient without a case.`
    throw invalid(`#/files/${at}`, 'unknown_reference', message)
  })
  const lines = params.requested_medications
  const status = hold ? 'received' : 'queued'
  const { text } = store.next()
  const filed = store.add<CaseRow>('case', {
    patient,
    status,
    consent_ids,
    requested_medications: lines.map((line, at) =>
      completeLine(line, `#/requested_medications/${at}`),
    ),
    answers: answers.map(answer => ({ type: 'string', ...answer })),
    hold,
    files,
    plan: null,
    question: null,
    reason: null,
    prescription_ids: [],
    order_ids: [],
    created_at: text,
    updated_at: text,
  })
  for (const file of attached) store.change(file, { case: filed.id })
  store.event(`case.${status}.v1`, filed, status, null)
  return filed
}

function answerCase(store: Store, one: CaseRow, { answers }: CaseAnswerParams): CaseRow {
  const { question } = one
  const added = answers.map((answer): Answer => ({
    id: question?.message ?? '',
    question: question?.body ?? '',
    type: 'string',
    ...answer,
  }))
  const moved = moveCase(store, one, 'in_review', {
    answers: [...one.answers, ...added],
    question: null,
  })
  const author = question?.target ?? 'patient'
  say(store, moved, { kind: 'answer', author, body: added.map(each => each.answer).join('\n') })
  return moved
}

const caseOf = (store: Store, id: unknown) => store.find<CaseRow>('case', id)

export const cases: Handlers = {
  createCase: ({ store, body }) => createCase(store, body as unknown as CaseCreateParams),
  listCases: ({ store, query }) =>
    store.all<CaseRow>(
      'case',
      ({ status, patient, created_at }) =>
        (query['status'] ?? status) === status &&
        (query['patient'] ?? patient) === patient &&
        created_at > (query['created_after'] ?? ''),
    ),
  getCase: ({ store, path }) => caseOf(store, path['id']),
  releaseCase: ({ store, path, operation }) =>
    moveCase(store, checked(operation, caseOf(store, path['id'])), 'queued'),
  cancelCase: ({ store, path, body, operation }) =>
    closeCase(store, checked(operation, caseOf(store, path['id'])), 'cancelled', body['reason']),
  withdrawCase: ({ store, path, body, operation }) =>
    closeCase(store, checked(operation, caseOf(store, path['id'])), 'withdrawn', body['reason']),
  answerCase: ({ store, path, body, operation }) =>
    answerCase(
      store,
      checked(operation, caseOf(store, path['id'])),
      body as unknown as CaseAnswerParams,
    ),
  listCaseEvents({ store, path }) {
    const { id } = caseOf(store, path['id'])
    return store.events.filter(({ resource }) => resource.id === id)
  },
  listMessages({ store, path }) {
    const { id } = caseOf(store, path['id'])
    return store.all<MessageRow>('msg', one => one.case === id)
  },
  createMessage: ({ store, path, body, operation }) =>
    say(store, checked(operation, caseOf(store, path['id'])), body),
  sendClinicianMessage: ({ store, path, body }) =>
    say(store, checked('createMessage', caseOf(store, path['id'])), {
      ...body,
      author: 'clinician',
    }),
}
