// Questions and answers: the sandbox clinician asks a question, the patient or the integration
// answers it, and the case returns to review.

import { beforeEach, describe, expect, test } from 'bun:test'
import { invoke, queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, eventsOf } from '../testing/assertions.ts'

const fixtures = useFixtures()
let id: string
beforeEach(async () => {
  ;({ id } = await queuedCase(fixtures))
})

const needsInfo = (question: string, target = 'patient') =>
  invoke(fixtures, 'decideCase', { id, body: { decision: 'needs_info', target, question } })
const answer = (answers: object[]) => invoke(fixtures, 'answerCase', { id, body: { answers } })
const thread = async () => (await invokeOk(fixtures, 'listMessages', { id })).data

describe('decideCase needs_info 200', () => {
  test.each(['patient', 'integration'])(
    'a question to the %s is on the case and in the messages',
    async target => {
      const { answer: decided, lines } = await eventsOf(fixtures, () =>
        needsInfo('Since when?', target),
      )
      const [message] = await thread()
      expect(JSON.stringify(message)).toBe(
        JSON.stringify({
          id: message.id,
          status: 'sent',
          case: id,
          kind: 'question',
          author: 'clinician',
          target,
          body: 'Since when?',
          created_at: message.created_at,
        }),
      )
      expect(JSON.stringify(decided.body.question)).toBe(
        JSON.stringify({
          message: message.id,
          target,
          body: 'Since when?',
          asked_at: message.created_at,
        }),
      )
      expect(decided.body.status).toBe(`waiting_on_${target}`)
      expect(lines).toEqual([
        `case.in_review.v1 queued → in_review ${id}`,
        `case.waiting_on_${target}.v1 in_review → waiting_on_${target} ${id}`,
        `case.question_asked.v1 waiting_on_${target} → waiting_on_${target} ${id}`,
      ])
    },
  )

  test('a second question replaces the open one; both stay in the messages', async () => {
    await needsInfo('Since when?')
    const { answer: decided, lines } = await eventsOf(fixtures, () =>
      needsInfo('Which lab?', 'integration'),
    )
    const messages = await thread()
    expect(messages.map((one: { body: string }) => one.body)).toEqual(['Since when?', 'Which lab?'])
    expect(decided.body.question).toMatchObject({
      message: messages[1].id,
      target: 'integration',
      body: 'Which lab?',
    })
    expect(lines).toEqual([
      `case.in_review.v1 waiting_on_patient → in_review ${id}`,
      `case.waiting_on_integration.v1 in_review → waiting_on_integration ${id}`,
      `case.question_asked.v1 waiting_on_integration → waiting_on_integration ${id}`,
    ])
  })

  test('a decision while waiting removes the question from the case', async () => {
    await needsInfo('Since when?')
    const { answer: approved, lines } = await eventsOf(fixtures, () =>
      invokeOk(fixtures, 'decideCase', { id, body: { decision: 'approve' } }),
    )
    expect([approved.status, approved.question]).toEqual(['approved', null])
    expect(lines.slice(0, 2)).toEqual([
      `case.in_review.v1 waiting_on_patient → in_review ${id}`,
      `case.approved.v1 in_review → approved ${id}`,
    ])
  })
})

describe('answerCase 200', () => {
  test("id and question default to the open question's", async () => {
    const { body: decided } = await needsInfo('Since when?')
    const { answer: returned, lines } = await eventsOf(fixtures, () =>
      answer([{ answer: 'In May.' }]),
    )
    expect(JSON.stringify(returned.body.answers)).toBe(
      JSON.stringify([
        {
          id: decided.question.message,
          question: 'Since when?',
          answer: 'In May.',
          type: 'string',
        },
      ]),
    )
    expect([returned.body.status, returned.body.question]).toEqual(['in_review', null])
    expect(lines).toEqual([
      `case.in_review.v1 waiting_on_patient → in_review ${id}`,
      `case.message_created.v1 in_review → in_review ${id}`,
    ])
  })

  test.each(['patient', 'integration'])('the message has the %s as its author', async target => {
    await needsInfo('Since when?', target)
    await answer([
      { id: 'a', question: 'one', answer: 'In May.' },
      { id: 'b', question: 'two', answer: 'No.', type: 'boolean' },
    ])
    const [, reply] = await thread()
    expect([reply.kind, reply.author, reply.target, reply.body]).toEqual([
      'answer',
      target,
      null,
      'In May.\nNo.',
    ])
  })

  test('answers are appended, and never replace earlier ones', async () => {
    const filed = { id: 'goal', question: 'Goal?', answer: '165 lb' }
    id = (await queuedCase(fixtures, undefined, { answers: [filed] })).id
    for (const [question, text] of [
      ['Since when?', 'May'],
      ['Allergies?', ''],
    ] as const) {
      await needsInfo(question)
      await answer([{ id: 'goal', answer: text }])
    }
    const { answers } = await invokeOk(fixtures, 'getCase', { id })
    expect(answers.map((one: { answer: string }) => one.answer)).toEqual(['165 lb', 'May', ''])
    expect(new Set(answers.map((one: { id: string }) => one.id))).toEqual(new Set(['goal']))
  })

  test('a question of 2,000 characters is shortened in the answer and complete in the message', async () => {
    const question = 'q'.repeat(2000)
    await needsInfo(question)
    const { body } = await answer([{ answer: 'Yes.' }])
    expect(body.answers[0].question).toBe(`${'q'.repeat(999)}…`)
    expect((await thread())[0].body).toBe(question)
  })

  test('fifty long answers are stored complete and shortened in the message', async () => {
    await needsInfo('Since when?')
    const { body } = await answer(Array.from({ length: 50 }, () => ({ answer: 'a'.repeat(5000) })))
    expect(body.answers).toHaveLength(50)
    expect(body.answers[49].answer).toHaveLength(5000)
    const [, reply] = await thread()
    expect([...reply.body]).toHaveLength(5000)
  })

  test('an empty answer creates a message that isn’t empty', async () => {
    await needsInfo('Anything else?')
    const { body } = await answer([{ answer: '' }])
    expect(body.answers[0].answer).toBe('')
    expect((await thread())[1].body.length).toBeGreaterThan(0)
  })
})

describe('answerCase 400', () => {
  beforeEach(() => needsInfo('Since when?'))
  test.each<[string, string, object]>([
    ['#/answers', 'required', {}],
    ['#/answers', 'too_few', { answers: [] }],
    ['#/answers', 'too_many', { answers: Array.from({ length: 51 }, () => ({ answer: 'a' })) }],
    ['#/answers/0/answer', 'required', { answers: [{ id: 'a' }] }],
    ['#/answers/0/answer', 'too_long', { answers: [{ answer: 'a'.repeat(5001) }] }],
    ['#/answers/0/id', 'too_short', { answers: [{ id: '', answer: 'a' }] }],
    ['#/answers/0/type', 'not_in_enum', { answers: [{ answer: 'a', type: 'text' }] }],
  ])('%s %s', async (pointer, code, body) => {
    expect(await expectFaults(fixtures, 'answerCase', { id, body })).toEqual([[pointer, code]])
  })

  test('a case holds at most 200 answers', async () => {
    const one = { id: 'i', question: 'q', answer: 'a' }
    id = (
      await queuedCase(fixtures, undefined, { answers: Array.from({ length: 199 }, () => one) })
    ).id
    await needsInfo('Since when?')
    const body = { answers: [{ answer: 'a' }, { answer: 'b' }] }
    expect(await expectFaults(fixtures, 'answerCase', { id, body })).toEqual([
      ['#/answers', 'too_many'],
    ])
    const { body: full } = await answer([{ answer: 'a' }])
    expect(full.answers).toHaveLength(200)
  })
})
