import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { a2aExample } from '#contract/site/a2a.ts'
import { say } from '#content/consent.ts'
import { newBuyer } from '../testing/acp-agent.ts'
import { type SampleAgents, sampleAgents, site } from '../testing/agents.ts'
import { dataIn, dialects, never, once, sendTo, textIn } from '../testing/a2a-caller.ts'

/** What the agent does with a message, in both dialects, on a real database. */
let context: SampleAgents
beforeAll(async () => {
  context = await sampleAgents()
}, 60_000)
afterAll(() => context?.close())

const send = (body: unknown) => sendTo(context, body)

for (const [version, { send: made, text, data, message, faults }] of Object.entries(dialects)) {
  describe(version, () => {
    test('a text is answered with the question to ask and the very data part to send', async () => {
      const answer = await send(made([text("I'd like a demo")]))
      expect(await faults(answer)).toEqual([])
      expect(answer['id']).toBe(7)
      const said = textIn(message(answer))
      expect(said).toContain(say('ask'))
      expect(said).toContain(JSON.stringify(a2aExample))
      expect(dataIn(message(answer))).toBeUndefined()
    })

    test('a data part with a first name and an address books, once', async () => {
      const person = newBuyer()
      const answer = await send(made([text('please'), data({ ...person, user_consent: true })]))
      expect(await faults(answer)).toEqual([])
      const told = dataIn(message(answer))
      expect(told).toMatchObject({
        status: 'pick_a_time',
        start: null,
        invitation_to: person.email,
        replayed: false,
      })
      expect(told['booking_url']).toStartWith(`${site}/booking/`)
      expect(textIn(message(answer))).toContain(told['booking_url'])
      expect(await context.rowsOf(person.email)).toEqual(once)
      const [row] =
        await context.owner`select * from site.bookings where id = ${told['booking_id']}`
      expect(row).toMatchObject({ protocol: 'a2a', agent: 'agent/3', consent: true })
    })

    test('the same message again: the very same answer; a new one: the same call', async () => {
      const person = newBuyer()
      const first = made([data(person)])
      const answers = [await send(first), await send(first)]
      expect(answers[1]).toEqual(answers[0])
      const other = dataIn(message(await send(made([data(person)]))))
      const told = dataIn(message(answers[0] ?? {}))
      expect(other).toMatchObject({ booking_id: told['booking_id'], replayed: true })
      expect(other['booking_url']).not.toBe(told['booking_url'])
      expect(await context.rowsOf(person.email)).toEqual(once)
    })

    test('an id that could be guessed gets no link out of the house', async () => {
      const person = newBuyer()
      const guessed = made([data(person)], { messageId: '1' })
      const [first, again] = [await send(guessed), await send(guessed)]
      const [one, other] = [dataIn(message(first)), dataIn(message(again))]
      expect(other['booking_id']).toBe(one['booking_id'])
      expect(other['booking_url']).not.toBe(one['booking_url'])
    })

    test('a person who has not agreed is not booked', async () => {
      const person = newBuyer()
      for (const user_consent of [false, 'no', 0]) {
        const answer = await send(made([data({ ...person, user_consent })]))
        expect(textIn(message(answer))).toBe(say('refused'))
      }
      expect(await context.rowsOf(person.email)).toEqual(never)
    })

    test('what is missing or wrong is named, and nobody is booked', async () => {
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
        const told = dataIn(message(answer))
        expect([form, told['status'], told['errors'][0]['field']]).toEqual([
          form,
          'input_required',
          field,
        ])
        expect(textIn(message(answer))).toContain(`Not booked. ${field}: `)
      }
    })

    test('what is no member of the form is ignored, and said so', async () => {
      const person = newBuyer()
      const answer = await send(made([data({ ...person, action: 'book' })]))
      expect(dataIn(message(answer))['status']).toBe('pick_a_time')
      expect(textIn(message(answer))).toEndWith('Not read: action.')
    })

    test('a time is booked with it; taken, it is answered with what is free', async () => {
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

    test('a conversation keeps its context; a task that there is not is not found', async () => {
      const contextId = crypto.randomUUID()
      const answer = await send(made([text('hello')], { contextId }))
      expect(message(answer)['contextId']).toBe(contextId)
      expect(message(await send(made([text('hello')])))['contextId']).toMatch(/^ctx_/)
      const lost = await send(made([text('hello')], { taskId: 'task_1' }))
      expect(lost['error']['code']).toBe(-32001)
    })
  })
}

test('twenty agents in both dialects at once: one call, one notification', async () => {
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
