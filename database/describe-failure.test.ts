import { expect, test } from 'bun:test'
import { describeFailure } from './describe-failure.ts'

const failing = (more: object) => {
  const { stack: _, ...fields } = describeFailure(Object.assign(new Error('It failed.'), more))
  return fields
}

test('a logged failure has the server’s SQLSTATE, or the driver’s code', () => {
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

test('a logged failure contains no row values, and never a sentence as its code', () => {
  expect(failing({ errno: '23505' })).toEqual({ failure: 'Error', sqlstate: '23505' })
  expect(failing({ code: 'ada@example.com' })).toEqual({ failure: 'Error', message: 'It failed.' })
  expect(failing({})).toEqual({ failure: 'Error', message: 'It failed.' })
  expect(describeFailure('text')).toEqual({ failure: 'string' })
})
