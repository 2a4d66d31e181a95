import { expect, test } from 'bun:test'
import { describeFailure } from './describe-failure.ts'

const failing = (more: object) => {
  const { stack: _, ...fields } = describeFailure(Object.assign(new Error('It failed.'), more))
  return fields
}

test('the log of a failure has the state of the server, or the code of the driver', () => {
  expect(failing({ errno: '25006', code: 'ERR_POSTGRES_SERVER_ERROR' })).toEqual({
    failure: 'Error',
    sqlstate: '25006',
    message: 'It failed.',
  })
  expect(failing({ code: 'ERR_POSTGRES_UNEXPECTED_MESSAGE' })).toEqual({
    failure: 'Error',
    code: 'ERR_POSTGRES_UNEXPECTED_MESSAGE',
    message: 'It failed.',
  })
})

test('the log of a failure repeats no value of a row, and no code that is a sentence', () => {
  expect(failing({ errno: '23505' })).toEqual({ failure: 'Error', sqlstate: '23505' })
  expect(failing({ code: 'ada@example.com' })).toEqual({ failure: 'Error', message: 'It failed.' })
  expect(failing({})).toEqual({ failure: 'Error', message: 'It failed.' })
  expect(describeFailure('text')).toEqual({ failure: 'string' })
})
