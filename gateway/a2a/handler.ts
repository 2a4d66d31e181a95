import type { Message, SendMessageRequest } from '@a2a-js/sdk'
import { AgentCard, Message as MessageForm, Role } from '@a2a-js/sdk'
import {
  ExtendedAgentCardNotConfiguredError,
  PushNotificationNotSupportedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import { type A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import type { BookingService } from '#booking/booking-service.ts'
import type { Answer, Call, IdempotencyStore } from '#booking/idempotency/store.ts'
import { type Stores, storeOf } from '#booking/idempotency/either-store.ts'
import { hmacOf } from '#booking/idempotency/encrypt.ts'
import { type KeyRefusal, keyConflict, keyInFlight } from '#booking/idempotency/refusals.ts'
import { isReservedEmail } from '#booking/person.ts'
import { asksForDetails, bookFrom, consentIn, formIn, isUrgent } from './agent.ts'
import { leadsToHelp, refused, type AgentReply } from './agent.ts'

export type A2aParts = Stores & {
  readonly bookingService: BookingService
  readonly secret: string
  /** The published agent card, in the format of version 1.0. */
  readonly card: object
}

/** A request's data for the handler, because the library passes on nothing else. */
export class AgentCall extends ServerCallContext {
  /** A failure to log. Kept here because the library would send its message to the caller. */
  failure: unknown
  /** The error for an invalid Idempotency-Key. */
  refusal: KeyRefusal | undefined
  isDryRun = false
  isReplayed = false

  constructor(
    requestedVersion: string,
    readonly agent: string | null,
    readonly address: string | null,
    readonly idempotencyKey: string | null,
  ) {
    super({ requestedVersion })
  }
}

/** Shorter message IDs could be guessed, so their replies aren't repeated. */
const unguessableIdLength = 16

/**
 * A2A's operations for both versions. Every reply is a message and no task is stored, so task
 * lookups find nothing.
 */
export function a2aHandler(parts: A2aParts): A2ARequestHandler {
  const card = AgentCard.fromJSON(parts.card)
  const noTask = () => Promise.reject(new TaskNotFoundError('This task does not exist.'))
  const noPush = () => Promise.reject(new PushNotificationNotSupportedError())
  // oxlint-disable-next-line require-yield
  const noStream = async function* () {
    throw new UnsupportedOperationError('This agent does not stream.')
  }
  return {
    getAgentCard: () => Promise.resolve(card),
    getAuthenticatedExtendedAgentCard: (_, context) =>
      Promise.reject(
        context.requestedVersion === '0.3'
          ? new ExtendedAgentCardNotConfiguredError()
          : new UnsupportedOperationError('The card has no extended version.'),
      ),
    sendMessage: (request, context) => sendMessage(parts, request, context),
    sendMessageStream: noStream,
    resubscribe: noStream,
    getTask: noTask,
    cancelTask: noTask,
    listTasks: () => Promise.resolve({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 }),
    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
  }
}

async function sendMessage(
  parts: A2aParts,
  { message }: SendMessageRequest,
  context: ServerCallContext,
): Promise<Message> {
  if (message === undefined || message.taskId !== '') {
    throw new TaskNotFoundError('This task does not exist. The agent responds with messages.')
  }
  if (!(context instanceof AgentCall)) throw new Error('an A2A call must have an AgentCall context')
  const content = contentOf(message)
  const reply = await answerTo(parts, message, content, context).catch((failure: unknown) => {
    context.failure = failure
    throw failure
  })
  if (reply === undefined) throw new UnsupportedOperationError('The Idempotency-Key is refused.')
  context.isDryRun = reply.isDryRun === true
  return replyMessage(parts.secret, message, content, reply)
}

/** Undefined if the Idempotency-Key is invalid. */
async function answerTo(
  parts: A2aParts,
  message: Message,
  content: string,
  call: AgentCall,
): Promise<AgentReply | undefined> {
  const form = formIn(message.parts)
  const consent = consentIn(message)
  if (consent === false) return refused
  if (form === undefined) return isUrgent(message.parts) ? leadsToHelp : asksForDetails
  const { agent, address, idempotencyKey: key } = call
  const book = () => bookFrom(parts.bookingService, form, consent, { agent, address })
  const store = storeOf(parts, isReservedEmail(form['email']))
  if (key !== null) return onceByKey(store, { scope: 'a2a key', key, content }, call, book)
  if (message.messageId.length < unguessableIdLength) return book()
  return onceByMessage(store, { scope: 'a2a', key: message.messageId + content, content: '' }, book)
}

/** Works like the checkout: only one of several concurrent requests with the same key books, and
 *  only a booking uses up the key. */
async function onceByKey(
  store: IdempotencyStore,
  stored: Call,
  call: AgentCall,
  book: () => Promise<AgentReply>,
): Promise<AgentReply | undefined> {
  const outcome = await store.once(stored, async () => {
    const reply = await book()
    return { status: reply.isDone ? 200 : 400, body: JSON.stringify(reply) }
  })
  if (outcome.kind === 'answered') {
    call.isReplayed = outcome.replayed
    return JSON.parse(outcome.answer.body) as AgentReply
  }
  call.refusal = outcome.kind === 'conflict' ? keyConflict : keyInFlight(outcome.retrySeconds)
  return undefined
}

/** A repeated message gets the first message's reply. */
async function onceByMessage(
  store: IdempotencyStore,
  stored: Call,
  book: () => Promise<AgentReply>,
): Promise<AgentReply> {
  const before = await store.find(stored)
  if (before?.kind === 'answered') return JSON.parse(before.answer.body) as AgentReply
  const reply = await book()
  if (!reply.isDone) return reply
  const kept = await store.keep(stored, storable(reply))
  // Another request with the same message may have stored its reply first.
  return kept.kind === 'answered' && kept.replayed
    ? (JSON.parse(kept.answer.body) as AgentReply)
    : reply
}

/** Serialized when read, because few dry runs are repeated. */
const storable = (reply: AgentReply): Answer => ({
  status: 200,
  get body() {
    return JSON.stringify(reply)
  },
})

/** The message as JSON, with its fields in a fixed order. */
const contentOf = (message: Message) => JSON.stringify(MessageForm.toJSON(message))

/** Derives the IDs from the message, so the same message gets the same reply. */
function replyMessage(
  secret: string,
  message: Message,
  content: string,
  { text, more, data }: AgentReply,
): Message {
  const hmac = hmacOf(secret, 'a2a reply', message.messageId, content).toString('hex')
  const part = { metadata: undefined, filename: '' }
  const textPart = (value: string) => ({
    ...part,
    content: { $case: 'text' as const, value },
    mediaType: 'text/plain',
  })
  return {
    messageId: `msg_${hmac.slice(0, 32)}`,
    contextId: message.contextId === '' ? `ctx_${hmac.slice(32)}` : message.contextId,
    taskId: '',
    role: Role.ROLE_AGENT,
    parts: [
      ...(data === undefined
        ? []
        : [
            {
              ...part,
              content: { $case: 'data' as const, value: data },
              mediaType: 'application/json',
            },
          ]),
      textPart(text),
      ...(more === undefined ? [] : [textPart(more)]),
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
}
