// How each kind of destination sends a batch of events.

import { webhookHeaders } from '#contract/events.ts'

/** One delivery, as its destination receives it. */
export type Message = {
  id: string
  event: string
  event_type: string
  /** The replay that created the delivery. */
  replay: string | null
  body: string
}

export type Target = {
  /** The destination's stored address. */
  url: URL
  settings: Readonly<Record<string, string | null>>
  secret: string
  /** Milliseconds since 1970. */
  now: number
}

export type DestinationRequest = {
  url: URL
  method: 'POST' | 'PUT'
  headers: Readonly<Record<string, string>>
  body: string
}

export type Protocol = {
  /** Builds the signed request for a batch. */
  request(target: Target, batch: readonly Message[]): Promise<DestinationRequest>
  /** Returns the messages that a 2xx response reports as rejected, by position in the batch. */
  refused?(answer: unknown, batch: readonly Message[]): Iterable<number>
}

export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Returns the named list from a response; a response without that list accepted none of the
 *  messages. */
export const listIn = (answer: unknown, name: string): readonly unknown[] => {
  const found = member(answer, name)
  return Array.isArray(found) ? found : []
}

/** The webhook headers that identify a delivery, for messages with attributes. */
export const attributesOf = ({ id, event, event_type, replay }: Message) => ({
  [webhookHeaders.event]: event,
  [webhookHeaders.type]: event_type,
  [webhookHeaders.delivery]: id,
  ...(replay === null ? {} : { [webhookHeaders.replay]: replay }),
})

export const setting = ({ settings }: Target, name: string): string => settings[name] ?? ''
