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
import { asksForDetails, bookFrom, formIn, type Said } from './agent.ts'

export type A2aParts = {
  readonly bookingService: BookingService
  readonly idempotencyStore: IdempotencyStore
  readonly secret: string
  /** As it is published, in the form of 1.0. */
  readonly card: object
}

/** What travels with a call: who calls, what went wrong on our side, and that it rehearsed. */
export const inContext = { agent: 'agent', failure: 'failure', dryRun: 'rehearsal' } as const

/** An id that could be guessed proves nothing, so it gets no earlier answer out of the house. */
const provingIdMin = 16

/**
 * The operations of A2A, for either version. Every answer is a message and no task is ever kept, so
 * whoever asks for a task asks for one that there is not.
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
  const saying = saidBy(message)
  const said = await answerTo(parts, message, saying, context).catch((failure: unknown) => {
    // What failed is for the log. The library would tell it to the caller.
    context.state.set(inContext.failure, failure)
    throw failure
  })
  if (said.isDryRun) context.state.set(inContext.dryRun, true)
  return written(parts.secret, message, saying, said)
}

async function answerTo(
  { bookingService, idempotencyStore }: A2aParts,
  message: Message,
  saying: string,
  { state }: ServerCallContext,
): Promise<Said> {
  const form = formIn(message.parts)
  if (form === undefined) return asksForDetails
  const agent = state.get(inContext.agent)
  const book = () => bookFrom(bookingService, form, typeof agent === 'string' ? agent : null)
  if (message.messageId.length < provingIdMin) return book()
  const call = { scope: 'a2a', key: message.messageId + saying, content: '' }
  const before = await idempotencyStore.find(call)
  if (before?.kind === 'answered') return JSON.parse(before.answer.body) as Said
  const said = await book()
  if (!said.isDone) return said
  const kept = await idempotencyStore.keep(call, { status: 200, body: JSON.stringify(said) })
  return kept.kind === 'answered' ? (JSON.parse(kept.answer.body) as Said) : said
}

/** What a message says. Its own members come in one order, whatever they came in. */
const saidBy = (message: Message) => JSON.stringify(MessageForm.toJSON(message))

/** The same message gets the very same one back: its ids are made of it. */
function written(secret: string, message: Message, saying: string, { text, data }: Said): Message {
  const mark = hmacOf(secret, 'a2a reply', message.messageId, saying).toString('hex')
  const part = { metadata: undefined, filename: '' }
  return {
    messageId: `msg_${mark.slice(0, 32)}`,
    contextId: message.contextId === '' ? `ctx_${mark.slice(32)}` : message.contextId,
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
