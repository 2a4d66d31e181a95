import type { Input, Output } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import { invalid } from '#contract/problems.ts'
import { sql } from '#database/sql.ts'
import { clock, idAt, momentAt } from '../pipeline/clock.ts'
import { emit, event } from '../pipeline/emit.ts'
import { tenantOf, write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { allow, caseColumns, type CaseFacts, heldCase } from './case.ts'

type Answer = Output<'getCase'>['answers'][number]
type Facts = CaseFacts & {
  answers: Answer[]
  question_message: string
  question_target: 'patient' | 'integration'
  question_body: string
}

const questionMax = 1000
const messageBodyMax = 5000

/** Cuts a text to a number of code points and adds an ellipsis. */
function shorten(text: string, codePointsMax: number): string {
  const points = [...text]
  return points.length <= codePointsMax ? text : `${points.slice(0, codePointsMax - 1).join('')}…`
}

/** Returns the answers as stored. An answer's ID and question default to the open question's. */
const complete = (input: Input<'answerCase'>, question: Facts): Answer[] =>
  input.answers.map(({ answer, type = 'string', ...rest }) => ({
    id: rest.id ?? question.question_message,
    question: rest.question ?? shorten(question.question_body, questionMax),
    answer,
    type,
  }))

export const answerCase = write('answerCase', {
  facts: (call, { id }) => sql`
    select id, status, iso(updated_at) as updated_at, answers, question_message, question_target,
           question_body
      from cases where tenant = ${tenantOf(call)} and id = ${id}`,
  decide: (call, input, found: Facts | null) => {
    const current = allow(found, 'answer')
    if (!found) throw call.refuse('not_found')
    const added = complete(input, found)
    const answers = [...found.answers, ...added]
    if (answers.length > limits.answersMax) {
      const message = `answers must not bring the case's total above ${limits.answersMax} answers.`
      throw invalid([{ pointer: '#/answers', code: 'too_many', message }])
    }
    const text = added.map(one => one.answer).join('\n')
    const body = shorten(text.trim() === '' ? '(empty)' : text, messageBodyMax)
    return {
      current,
      answers,
      body,
      author: found.question_target,
      message: call.mint('message', 2),
    }
  },
  write: (call, { current, answers, body, author, message }) => sql`
    ${heldCase(call, current)}, ${clock(call, 4, sql`held`)},
    changed as (
      update cases set status = 'in_review', status_at = c.at, updated_at = c.at,
             answers = ${JSON.stringify(answers)}::text::json, question_message = null,
             question_target = null, question_body = null, question_asked_at = null
        from clock c
       where tenant = ${tenantOf(call)} and id = ${current.id}
      returning id, ${published(caseColumns)} as answer
    ), answered as (
      insert into messages (tenant, id, "case", kind, author, body, created_at)
      select ${tenantOf(call)}, ${idAt(message)}, ${current.id}, 'answer', ${author}, ${body},
             ${momentAt(message.at)}
        from clock c
    ), ${emit(call, [
      event(1, 'case.in_review.v1', current.id, current.status, 'in_review'),
      event(3, 'case.message_created.v1', current.id, 'in_review', 'in_review'),
    ])}`,
})
