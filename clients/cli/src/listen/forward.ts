// Posts one event to a developer's program, as a webhook delivery would be.

import { causeCode } from '../../../typescript/src/errors.ts'
import { wait } from '../api/client.ts'
import type { Context } from '../context.ts'
import { now } from '../environment.ts'
import { CommandError } from '../errors.ts'
import { operations, target as targetOf } from '../operations/operation.ts'
import { type How, isPassing } from '../realtime/stream.ts'
import type { Published, StreamedEvent } from '../realtime/socket.ts'
import { signed } from '../webhooks/signature.ts'

const patienceMs = 15_000
const shownMax = 200

export type ForwardSettings = {
  readonly target?: URL
  readonly secret: string
  readonly includeResource: boolean
  readonly concurrency: number
}

type Outcome = { readonly status: number | null; readonly ms: number; readonly text: string }

export function openForwarder(context: Context, settings: ForwardSettings) {
  const { out } = context
  const { target, secret, includeResource, concurrency } = settings
  const running = new Set<Promise<void>>()
  let count = 0
  let failures = 0

  async function post(url: URL, { event, text }: Published): Promise<Outcome> {
    const body = includeResource ? await withResource(context, { event, text }) : text
    const began = now()
    const headers = await signed({ event, body, secret, delivery: `dlv_local_${++count}` })
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(patienceMs),
      })
      const answer = await response.text()
      return { status: response.status, ms: now() - began, text: answer.slice(0, shownMax) }
    } catch (error) {
      const { name } = error as Error
      const reason =
        name === 'TimeoutError' ? 'no response within 15 s' : (causeCode(error) ?? name)
      return { status: null, ms: now() - began, text: reason }
    }
  }

  async function forwardOne(published: Published, how: How): Promise<void> {
    const { event } = published
    const time = new Date(now()).toTimeString().slice(0, 8)
    const begin = `${how === 'filled' ? '↻ ' : ''}${time}  ${event.type.padEnd(26)}  ${event.id}`
    if (!target) return out.item({ ...event, how }, begin)
    const { status, ms, text } = await post(target, published)
    const isDone = status !== null && status >= 200 && status < 300
    if (!isDone) failures++
    const tail = isDone ? '' : `  ${text.replaceAll(/\s+/g, ' ')}`
    const line = `${begin}  → ${status ?? 'failed'} in ${ms} ms${tail}`
    await out.item({ event, how, status, ms, ...(isDone ? {} : { answer: text }) }, line)
  }

  return {
    /** Resolves when the next event may be sent: immediately, or at the limit when a running
     *  request ends. */
    async forward(published: Published, how: How): Promise<void> {
      if (concurrency === 1) return forwardOne(published, how)
      const one = forwardOne(published, how).finally(() => running.delete(one))
      running.add(one)
      if (running.size >= concurrency) await Promise.race(running)
    },
    summary(skipped: number): void {
      const parts = [
        ...(target ? [`${count} forwarded, ${failures} failed`] : []),
        ...(skipped > 0 ? [`${skipped} of other types skipped`] : []),
      ]
      if (parts.length > 0) out.say(`${parts.join('; ')}.`)
    },
  }
}

/** The event with its resource as `data`, if the credential may read it. Retries while the API is
 *  unavailable, so no event is lost. */
async function withResource(context: Context, { event, text }: Published): Promise<string> {
  const call = await readingOf(event)
  if (call === undefined) return text
  for (;;) {
    try {
      const { body } = await context.api.call({ method: 'GET', ...call })
      return `${text.slice(0, -1)},"data":${JSON.stringify(body)}}`
    } catch (error) {
      // If the resource is gone or the scope is missing, a real delivery has no data either.
      if (error instanceof CommandError && ['notFound', 'notPermitted'].includes(error.exit)) {
        return text
      }
      if (!isPassing(error)) throw error
      context.out.say(`${(error as Error).message}. Trying again.`)
      await wait(2000)
    }
  }
}

/** The request that reads a resource by its ID alone. */
async function readingOf({ resource }: StreamedEvent) {
  const id = `get${resource.type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
  const found = (await operations()).find(one => one.id === id && one.ids.length === 1)
  return found && targetOf(found, [resource.id])
}
