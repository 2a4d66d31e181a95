import { expect, test } from 'bun:test'
import { type AnyPrincipal, callOf } from './handler.ts'

const principal: AnyPrincipal = {
  credential: 'key_1',
  mode: 'test',
  tenant: '7',
  client: null,
  person: null,
  integration: 'int_1',
  organization: null,
}

test('call: its time is real time, or later by what the clock of the tenant is ahead', () => {
  const occasion = { realNow: 1000 }
  const real = callOf<'listEvents', AnyPrincipal>(principal, occasion, () => 'x'.repeat(16))
  expect([real.now, real.realNow, real.request]).toEqual([1000, 1000, null])
  const ahead = callOf<'listEvents', AnyPrincipal>(
    principal,
    { ...occasion, ahead: 500, request: 'req_1' },
    () => 'x'.repeat(16),
  )
  expect([ahead.now, ahead.realNow, ahead.request]).toEqual([1500, 1000, 'req_1'])
  expect(ahead.mint('event', 3)).toEqual({ prefix: 'evt', at: 3, random: 'xxxxxxxxxxxxxxxx' })
})
