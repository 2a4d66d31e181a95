// Tests which browser a passkey challenge belongs to, and how long the challenge is valid.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from '#database/clock.ts'
import { openAuthenticator } from '../testing/authenticator.ts'
import { openPeople, type TestPeople } from '../testing/people.ts'
import {
  addPasskey,
  type PasskeyParts,
  registrationOptions,
  signInOptions,
  usePasskey,
} from './passkeys.ts'

let people: TestPeople
beforeAll(async () => void (people = await openPeople()))
afterAll(() => people.close())

const origin = 'https://auth.example.com'
const bound = 'what only this browser has'
const act = { surface: 'oauth', request: 'req_passkey', address: null, agent: null } as const
const refused = { refusal: 'wrong_passkey' } as const
/** The start of a minute. */
const noon = Date.UTC(2026, 10, 28, 12)

const partsAt = (milliseconds: number): PasskeyParts => ({
  pool: people.pool,
  origin,
  company: 'Example Health',
  hmac: text => new Bun.CryptoHasher('sha256', 'a secret').update(text).digest(),
  randomBytes,
  now: () => milliseconds,
})

async function added(transports?: unknown) {
  const { id, email } = await people.addPerson()
  const authenticator = openAuthenticator(origin)
  // A passkey synced between devices doesn't count its uses.
  authenticator.state.counts = false
  const person = { id, email, name: 'Ada' }
  const options = await registrationOptions(partsAt(noon), { person, existing: [], bound })
  const { response, ...created } = JSON.parse(authenticator.create(options))
  const answer = JSON.stringify({ ...created, response: { ...response, transports } })
  const given = { person: id, name: 'A phone', answer, bound, recoveryCodes: null }
  expect(await addPasskey(partsAt(noon), given, act)).toBeNull()
  return { person: id, authenticator }
}

const challenge = async (at = noon) => (await signInOptions(partsAt(at), bound)).challenge

test('passkeys: a challenge is valid for ten minutes from the minute it was created', async () => {
  const { person, authenticator } = await added()
  const minute = 60_000
  const outcomeAfter = async (milliseconds: number) => {
    const answer = authenticator.get({ challenge: await challenge() })
    return usePasskey(partsAt(noon + milliseconds), { answer, bound }, act)
  }
  for (const passed of [0, minute, 10 * minute, 11 * minute - 1]) {
    expect([passed, await outcomeAfter(passed)]).toEqual([passed, { person }])
  }
  for (const passed of [11 * minute, 60 * minute, -1]) {
    expect([passed, await outcomeAfter(passed)]).toEqual([passed, refused])
  }
})

test('passkeys: a challenge has 128 random bits and a 128-bit signature', async () => {
  const [one, other] = [await challenge(), await challenge()]
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  expect([bytes(one).length, bytes(other).length]).toEqual([36, 36])
  // Both challenges were created in the same minute for the same browser.
  expect(bytes(one).subarray(4, 20)).not.toEqual(bytes(other).subarray(4, 20))
  expect(bytes(one).subarray(0, 4)).toEqual(bytes(other).subarray(0, 4))
})

test('passkeys: a longer, shorter, changed or foreign challenge is refused', async () => {
  const { person, authenticator } = await added()
  const own = Buffer.from(await challenge(), 'base64url')
  const flipped = (at: number) => own.map((byte, index) => (index === at ? byte ^ 1 : byte))
  const hostile = [
    Buffer.of(),
    own.subarray(0, 3),
    own.subarray(0, 35),
    Buffer.concat([own, Buffer.of(0)]),
    Buffer.concat([Buffer.of(0), own]),
    ...[0, 3, 4, 19, 20, 35].map(flipped),
  ]
  for (const each of hostile) {
    const given = Buffer.from(each).toString('base64url')
    const answer = authenticator.get({ challenge: given })
    const outcome = await usePasskey(partsAt(noon), { answer, bound }, act)
    expect([given, outcome]).toEqual([given, refused])
  }
  const answer = authenticator.get({ challenge: own.toString('base64url') })
  const elsewhere = { answer, bound: 'what another browser has' }
  expect(await usePasskey(partsAt(noon), elsewhere, act)).toEqual(refused)
  expect(await usePasskey(partsAt(noon), { answer, bound }, act)).toEqual({ person })
  expect(await usePasskey(partsAt(noon), { answer, bound }, act)).toEqual({
    refusal: 'challenge_used',
  })
})

const texts = { clientDataJSON: '', authenticatorData: '', signature: '', attestationObject: '' }
const shaped = { id: 'x', rawId: 'x', type: 'public-key', response: texts }

const malformed: unknown[] = [
  5,
  'text',
  [],
  {},
  { ...shaped, id: 5, rawId: 5 },
  { ...shaped, id: { x: 1 } },
  { ...shaped, id: '\u0000', rawId: '\u0000' },
  { ...shaped, id: ['x'], type: 'other' },
  { ...shaped, rawId: 'y' },
  { ...shaped, type: 'other' },
  { ...shaped, response: null },
  { ...shaped, response: 'text' },
  { ...shaped, response: {} },
  { ...shaped, id: null, rawId: null, response: null },
  { ...shaped, id: undefined, rawId: undefined },
]

test('passkeys: a malformed response neither signs in nor adds a passkey', async () => {
  const { id: person } = await people.addPerson()
  for (const given of malformed) {
    const answer = JSON.stringify(given)
    const used = await usePasskey(partsAt(noon), { answer, bound }, act)
    const addition = { person, name: 'A phone', answer, bound, recoveryCodes: null }
    const added = await addPasskey(partsAt(noon), addition, act)
    expect([answer, used, added]).toEqual([answer, refused, 'wrong_passkey'])
  }
})

test('passkeys: malformed transports aren’t stored', async () => {
  for (const transports of ['usb', [1], ['\u0000'], [['usb']], { usb: 1 }]) await added(transports)
})

test('passkeys: a passkey response with another ID is refused', async () => {
  const [ada, ben] = [await added(), await added()]
  const answer = JSON.parse(ada.authenticator.get({ challenge: await challenge() }))
  const { id } = JSON.parse(ben.authenticator.get({ challenge: await challenge() }))
  for (const changed of [
    { ...answer, rawId: id },
    { ...answer, id },
    { ...answer, id, rawId: id },
  ]) {
    const given = { answer: JSON.stringify(changed), bound }
    expect(await usePasskey(partsAt(noon), given, act)).toEqual(refused)
  }
})
