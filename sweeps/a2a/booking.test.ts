import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { a2aExample, a2aPath } from '#contract/site/a2a.ts'
import { say } from '#content/consent.ts'
import { newBuyer } from '../testing/acp-agent.ts'
import { type AgentsFixture, openAgents, site } from '#gateway/testing/agents.ts'
import {
  type Answer,
  dataIn,
  dialects,
  never,
  once,
  sendTo,
  textIn,
} from '../testing/a2a-caller.ts'

// The agent's replies in both protocol versions, on a real database.
let context: AgentsFixture
beforeAll(async () => {
  context = await openAgents()
}, 60_000)
afterAll(() => context?.close())

const send = (body: unknown, headers?: Record<string, string>) => sendTo(context, body, headers)

for (const [version, { send: made, text, data, message, faults }] of Object.entries(dialects)) {
  describe(`A2A ${version}`, () => {
    test('responds to text with the consent question and the data part to send', async () => {
      const answer = await send(made([text("I'd like a demo")]))
      expect(await faults(answer)).toEqual([])
      expect(answer['id']).toBe(7)
      const reply = textIn(message(answer))
      expect(reply).toContain(say('ask'))
      expect(reply).toContain(JSON.stringify(a2aExample))
      expect(dataIn(message(answer))).toBeUndefined()
      expect(reply).toContain(say('stated'))
    })

    test('responds to an emergency with the number to call', async () => {
      const answer = await send(made([text('He wrote that he wants to die')]))
      expect(textIn(message(answer))).toContain('call 911')
      expect(await faults(answer)).toEqual([])
    })

    test('tells the caller with every booking what sending the details means', async () => {
      const answer = message(await send(made([data(newBuyer())])))
      expect(answer['parts'].at(-1)['text']).toBe(say('stated'))
    })

    test('a dry run stores nothing, and links to the same page as a booking', async () => {
      const before = await context.rowCounts()
      const ada = { first_name: 'Ada', email: 'ada@example.com' }
      const reserved = made([data(ada)])
      const first = dataIn(message(await send(reserved)))
      expect(
        dataIn(message(await send(reserved, { 'idempotency-key': crypto.randomUUID() }))),
      ).toEqual(first)
      expect(await context.rowCounts()).toEqual(before)
      const real = dataIn(message(await send(made([data(newBuyer())]))))
      const path = ({ booking_url }: Answer) => new URL(booking_url).pathname
      expect(path(first)).toBe(path(real))
    })

    test('an Idempotency-Key replays a booking, and is refused with another message', async () => {
      const [person, key] = [newBuyer(), crypto.randomUUID()]
      const keyed = { 'idempotency-key': key }
      const sent = made([data(person)], { messageId: 'm-1' })
      const post = (body: object) =>
        context.ask(a2aPath, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...keyed },
          body: JSON.stringify(body),
        })
      const asked = await post(made([data({ first_name: 'Ada' })]))
      expect(asked.status, 'a refusal does not use up the key').toBe(200)
      const [first, again] = [await post(sent), await post({ ...sent, id: 8 })]
      expect(first.headers.get('idempotent-replayed')).toBeNull()
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      const [one, other] = [await first.json(), await again.json()]
      expect(other).toEqual({ ...one, id: 8 })
      for (const another of [newBuyer(), { ...person, email: 'ada@example.com' }]) {
        const conflict = await post(made([data(another)]))
        const { error } = await conflict.json()
        expect([conflict.status, error.data.code]).toEqual([422, 'idempotency_conflict'])
      }
      expect(await context.rowsOf(person.email)).toEqual(once)
    })

    test('books once for a data part with a first name and an address', async () => {
      const person = newBuyer()
      const answer = await send(made([text('please'), data({ ...person, user_consent: true })]))
      expect(await faults(answer)).toEqual([])
      const fields = dataIn(message(answer))
      expect(fields).toMatchObject({
        status: 'pick_a_time',
        start: null,
        invitation_to: person.email,
        replayed: false,
      })
      expect(fields['booking_url']).toStartWith(`${site}/booking/`)
      expect(textIn(message(answer))).toContain(fields['booking_url'])
      expect(await context.rowsOf(person.email)).toEqual(once)
      const [row] =
        await context.owner`select * from site.bookings where id = ${fields['booking_id']}`
      expect(row).toMatchObject({ protocol: 'a2a', agent: 'agent/3', consent: true })
    })

    test('a repeated message gets the same reply, and a new message finds the same call', async () => {
      const person = newBuyer()
      const first = made([data(person)])
      const answers = [await send(first), await send(first)]
      expect(answers[1]).toEqual(answers[0])
      const other = dataIn(message(await send(made([data(person)]))))
      const fields = dataIn(message(answers[0] ?? {}))
      expect(other).toMatchObject({ booking_id: fields['booking_id'], replayed: true })
      expect(other['booking_url']).not.toBe(fields['booking_url'])
      expect(await context.rowsOf(person.email)).toEqual(once)
    })

    test('a repeated message with a short ID does not get the link again', async () => {
      const person = newBuyer()
      const guessed = made([data(person)], { messageId: '1' })
      const [first, again] = [await send(guessed), await send(guessed)]
      const [one, other] = [dataIn(message(first)), dataIn(message(again))]
      expect(other['booking_id']).toBe(one['booking_id'])
      expect(other['booking_url']).not.toBe(one['booking_url'])
    })

    test('does not book a person without consent', async () => {
      const person = newBuyer()
      for (const user_consent of [false, 'no', 0]) {
        for (const refused of [
          made([data({ ...person, user_consent })]),
          made([data(person), data({ user_consent })]),
          made([data(person)], { metadata: { user_consent } }),
        ]) {
          expect(textIn(message(await send(refused)))).toBe(say('refused'))
        }
      }
      expect(await context.rowsOf(person.email)).toEqual(never)
    })

    test('names each missing or invalid field, and does not book', async () => {
      const wrong: [object, string][] = [
        [{ first_name: 'Ada' }, 'email'],
        [{ email: newBuyer().email }, 'first_name'],
        [{ ...newBuyer(), email: 'ada' }, 'email'],
        [{ ...newBuyer(), first_name: 7 }, 'first_name'],
        [{ ...newBuyer(), phone: 'call me' }, 'phone'],
        [{ ...newBuyer(), start: 'tomorrow' }, 'start'],
        [{}, 'first_name'],
      ]
      for (const [form, field] of wrong) {
        const answer = await send(made([data(form)]))
        expect(await faults(answer)).toEqual([])
        const fields = dataIn(message(answer))
        expect([form, fields['status'], fields['errors'][0]['field']]).toEqual([
          form,
          'input_required',
          field,
        ])
        expect(textIn(message(answer))).toContain(`Not booked. ${field} must `)
      }
    })

    test('ignores unknown fields, and lists them', async () => {
      const person = newBuyer()
      const answer = await send(made([data({ ...person, action: 'book' })]))
      expect(dataIn(message(answer))['status']).toBe('pick_a_time')
      expect(textIn(message(answer))).toEndWith('Ignored: action.')
    })

    test('books a free time, and offers alternatives to a taken one', async () => {
      const [slot] = await context.bookingService.bookingService.availability({ days: 14 })
      const start = slot?.start ?? ''
      const form = { ...newBuyer(), start, timezone: 'America/New_York' }
      const booked = await send(made([data(form)]))
      expect(dataIn(message(booked))).toMatchObject({ status: 'confirmed', start })
      expect(textIn(message(booked))).toMatch(
        /^Booked for Ada: \w+day, .*[AP]M E[SD]T\. The invitation goes to ada-/,
      )
      const taken = dataIn(message(await send(made([data({ ...newBuyer(), start })]))))
      expect([taken['status'], taken['alternatives'].length]).toEqual(['slot_taken', 3])
    })

    test('keeps the context ID, and does not find an unknown task', async () => {
      const contextId = crypto.randomUUID()
      const answer = await send(made([text('hello')], { contextId }))
      expect(message(answer)['contextId']).toBe(contextId)
      expect(message(await send(made([text('hello')])))['contextId']).toMatch(/^ctx_/)
      const lost = await send(made([text('hello')], { taskId: 'task_1' }))
      expect(lost['error']['code']).toBe(-32001)
    })
  })
}

test('A2A: twenty concurrent messages in both versions book one call', async () => {
  const person = newBuyer()
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const dialect = at % 2 ? dialects['0.3'] : dialects['1.0']
      return dialect.message(await send(dialect.send([dialect.data(person)])))
    }),
  )
  expect(new Set(answers.map(answer => dataIn(answer)['booking_id'])).size).toBe(1)
  expect(await context.rowsOf(person.email)).toEqual(once)
})

test('A2A: of twenty concurrent calls with one key, one books; the others replay it or get 409', async () => {
  const [person, key] = [newBuyer(), crypto.randomUUID()]
  const { send: made, data } = dialects['1.0']
  const body = JSON.stringify(made([data(person)]))
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => context.ask(a2aPath, { method: 'POST', headers, body })),
  )
  const bodies = await Promise.all(answers.map(answer => answer.json()))
  const booked = bodies.filter(({ result }) => result !== undefined)
  expect(booked.length).toBeGreaterThan(0)
  expect(new Set(booked.map(each => JSON.stringify(each))).size).toBe(1)
  for (const [at, { error }] of bodies.entries()) {
    if (error === undefined) continue
    expect([answers[at]?.status, error.data.code]).toEqual([409, 'idempotency_in_flight'])
    expect(answers[at]?.headers.get('retry-after')).toBe('1')
    expect(error.message).toContain('Try again in 1 second.')
  }
  expect(await context.rowsOf(person.email)).toEqual(once)
})
