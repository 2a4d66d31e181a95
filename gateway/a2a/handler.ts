import type { Message, SendMessageRequest } from '@a2a-js/sdk'
import { AgentCard, Message as MessageForm, Role } from '@a2a-js/sdk'
import {
  ExtendedAgentCardNotConfiguredError,
  PushNotificationNotSupportedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import type { BookingService } from '#booking/booking-service.ts'
import type { IdempotencyStore } from '#booking/idempotency/store.ts'
import { hmacOf } from '#booking/idempotency/encrypt.ts'
import { asksForDetails, bookFrom, formIn, type AgentReply } from './agent.ts'

export type A2aParts = {
  readonly bookingService: BookingService
  readonly idempotencyStore: IdempotencyStore
  readonly secret: string
  /** The published agent card, in the format of version 1.0. */
  readonly card: object
}

/** Keys of the call context: the caller, a failure for the log, and whether it was a dry run. */
export const inContext = { agent: 'agent', failure: 'failure', dryRun: 'dry-run' } as const

/** A shorter message id could be guessed, so an earlier reply is not repeated for it. */
const unguessableIdLength = 16

/**
 * The operations of A2A, for both versions. Every reply is a message and no task is stored, so no
 * task can be found.
 */
export function a2aHandler(parts: A2aParts): A2ARequestHandler {
  const card = AgentCard.fromJSON(parts.card)
  const noTask = () => Promise.reject(new TaskNotFoundError('There is no such task.'))
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
          : new UnsupportedOperationError('The card has no extended form.'),
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
    throw new TaskNotFoundError('There is no such task: this agent answers with messages.')
  }
  const content = contentOf(message)
  const reply = await answerTo(parts, message, content, context).catch((failure: unknown) => {
    // The failure is for the log only. The library would send its message to the caller.
    context.state.set(inContext.failure, failure)
    throw failure
  })
  if (reply.isDryRun) context.state.set(inContext.dryRun, true)
  return replyMessage(parts.secret, message, content, reply)
}

async function answerTo(
  { bookingService, idempotencyStore }: A2aParts,
  message: Message,
  content: string,
  { state }: ServerCallContext,
): Promise<AgentReply> {
  const form = formIn(message.parts)
  if (form === undefined) return asksForDetails
  const agent = state.get(inContext.agent)
  const book = () => bookFrom(bookingService, form, typeof agent === 'string' ? agent : null)
  if (message.messageId.length < unguessableIdLength) return book()
  const call = { scope: 'a2a', key: message.messageId + content, content: '' }
  const before = await idempotencyStore.find(call)
  if (before?.kind === 'answered') return JSON.parse(before.answer.body) as AgentReply
  const reply = await book()
  if (!reply.isDone) return reply
  const stored = await idempotencyStore.keep(call, { status: 200, body: JSON.stringify(reply) })
  return stored.kind === 'answered' ? (JSON.parse(stored.answer.body) as AgentReply) : reply
}

/** The message as JSON, with its members in a fixed order. */
const contentOf = (message: Message) => JSON.stringify(MessageForm.toJSON(message))

/** The ids are derived from the message, so the same message gets the same reply. */
function replyMessage(
  secret: string,
  message: Message,
  content: string,
  { text, data }: AgentReply,
): Message {
  const hmac = hmacOf(secret, 'a2a reply', message.messageId, content).toString('hex')
  const part = { metadata: undefined, filename: '' }
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
      { ...part, content: { $case: 'text' as const, value: text }, mediaType: 'text/plain' },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
}
