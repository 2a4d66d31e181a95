// Daily as the hosted video service: a private room per visit, joined with a separate token per
// seat. https://docs.daily.co/reference/rest-api

import { parseJson } from '#http/json-body.ts'
import { readUpTo } from '#http/outgoing/read-up-to.ts'
import type { Seat } from '../tokens.ts'
import type { Room, VideoProvider } from './provider.ts'

export type DailySettings = {
  /** The REST interface's origin and path. */
  readonly origin: string
  readonly key: string
}

const answerSecondsMax = 5
/** Larger than any response read here. */
const answerBytesMax = 65_536
const depthMax = 8
const names: Readonly<Record<Seat, string>> = { patient: 'Patient', clinician: 'Clinician' }

/** The message names the request and the status, but not the response, which may contain anything.
 */
class DailyFailure extends Error {}

export function dailyVideo({ origin, key }: DailySettings): VideoProvider {
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(answerSecondsMax * 1000),
    })
    return { status: answer.status, value: membersOf(await readUpTo(answer, answerBytesMax)) }
  }
  const member = (answer: Awaited<ReturnType<typeof call>>, name: string, what: string): string => {
    const value = answer.value[name]
    if (answer.status === 200 && typeof value === 'string') return value
    throw new DailyFailure(`Daily responded with ${answer.status} to ${what}.`)
  }

  /** If two calls create the room concurrently, the second is refused and reads the first one's
   *  room. */
  async function openRoom(room: Room): Promise<string> {
    const times = { nbf: seconds(room.opensAt), exp: seconds(room.closesAt) }
    const properties = {
      ...times,
      max_participants: 2,
      eject_at_room_exp: true,
      enable_chat: false,
    }
    const body = { name: nameOf(room), privacy: 'private', properties }
    const made = await call('POST', '/rooms', body)
    const found = made.status === 400 ? await call('GET', `/rooms/${nameOf(room)}`) : made
    const url = member(found, 'url', 'a request for a room')
    if (URL.parse(url)?.protocol !== 'https:')
      throw new DailyFailure('Daily returned no https URL.')
    return url
  }

  return {
    name: 'daily',
    async entryFor(room, seat) {
      const url = new URL(await openRoom(room))
      const properties = {
        room_name: nameOf(room),
        user_name: names[seat],
        is_owner: seat === 'clinician',
        exp: seconds(room.closesAt),
        eject_at_token_exp: true,
      }
      const answer = await call('POST', '/meeting-tokens', { properties })
      url.searchParams.set('t', member(answer, 'token', 'a request for a token'))
      return { kind: 'page', url: url.href }
    },
    async end(room) {
      const { status } = await call('DELETE', `/rooms/${nameOf(room)}`)
      if (status !== 200 && status !== 404) {
        throw new DailyFailure(`Daily responded with ${status} to deleting a room.`)
      }
    },
  }
}

/** Daily allows hyphens but doesn't promise underscores. */
const nameOf = ({ visit }: Pick<Room, 'visit'>) => visit.replace('_', '-')
const seconds = (moment: number) => Math.floor(moment / 1000)

/** Returns an empty object for a response that's too long or not an object. */
function membersOf(bytes: Uint8Array | null): Readonly<Record<string, unknown>> {
  const read = bytes === null ? { value: null } : parseJson(bytes, depthMax)
  const value = 'value' in read ? read.value : null
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
