// What an error of the database means: for a call that is made again, and for one that is not.

import { describe, expect, test } from 'bun:test'
import {
  constraintOf,
  isAway,
  isConnectionLost,
  isDuplicate,
  isExcluded,
  isFull,
  isMissing,
  isRejectedValue,
  isTransient,
  sqlState,
} from './failures.ts'

const kinds = {
  lost: isConnectionLost,
  transient: isTransient,
  full: isFull,
  away: isAway,
  rejected: isRejectedValue,
  excluded: isExcluded,
  duplicate: isDuplicate,
  missing: isMissing,
}
const kindsOf = (failure: unknown) =>
  Object.entries(kinds).flatMap(([kind, isOfKind]) => (isOfKind(failure) ? [kind] : []))

const lost = ['lost', 'transient', 'away']
const transient = ['transient', 'away']

describe('failure with the SQLSTATE', () => {
  test.each([
    ['57P01', lost],
    ['57P03', lost],
    ['08006', lost],
    ['25P03', lost],
    ['25P04', lost],
    ['25P02', []],
    ['40001', transient],
    ['40P01', transient],
    ['53300', transient],
    ['55P03', transient],
    ['57014', transient],
    ['25006', transient],
    ['53100', ['full', 'away']],
    ['22003', ['rejected']],
    ['23514', ['rejected']],
    ['23P01', ['rejected', 'excluded']],
    ['23505', ['rejected', 'duplicate']],
    ['42P01', []],
    ['12223', []],
  ])('%s is %j', (errno, wanted) => {
    expect(sqlState({ errno })).toBe(errno)
    expect(kindsOf({ errno })).toEqual(wanted)
    // The driver's code of a failure that the server named says nothing more.
    expect(kindsOf({ errno, code: 'ERR_POSTGRES_CONNECTION_CLOSED' })).toEqual(wanted)
  })
})

describe('failure with the code', () => {
  test.each([
    ['ERR_POSTGRES_CONNECTION_CLOSED', lost],
    ['ERR_POSTGRES_CONNECTION_LOST', lost],
    ['ERR_POSTGRES_LIFETIME_TIMEOUT', lost],
    ['ERR_POSTGRES_IDLE_TIMEOUT', lost],
    ['ERR_POSTGRES_QUERY_TIMEOUT', lost],
    ['ECONNREFUSED', lost],
    ['ECONNRESET', lost],
    ['EPIPE', lost],
    ['FailedToOpenSocket', lost],
    ['ERR_POSTGRES_SERVER_ERROR', []],
    ['NOT_ECONNRESET', []],
    ['ENOENT', ['missing']],
  ])('%s is %j', (code, wanted) => {
    expect(kindsOf({ code })).toEqual(wanted)
    expect(sqlState({ code })).toBeNull()
  })
})

test.each([
  [null],
  [undefined],
  ['57P01'],
  [57],
  [{}],
  [{ errno: 57014 }],
  [{ errno: '57p01' }],
  [{ errno: '57P011' }],
  [{ code: 1 }],
  [{ code: null }],
])('failure %j: nothing is known of what is no error of the database', failure => {
  expect([sqlState(failure), constraintOf(failure), kindsOf(failure)]).toEqual([null, null, []])
})

test('failure: the name of the constraint is the one that the server gave', () => {
  expect(constraintOf({ errno: '23505', constraint: 'webhook_places' })).toBe('webhook_places')
  expect(constraintOf({ errno: '23505', constraint: 1 })).toBeNull()
})
