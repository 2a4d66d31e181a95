// How a request presents its caller, and what of a caller the line of the log names.

import { expect, test } from 'bun:test'
import { unauthenticated } from '#auth/audit.ts'
import { RequestContext } from '#http/request-context.ts'
import { keepOutcome, presentedBy } from './http-caller.ts'

const contextOf = (search: string, headers: Record<string, string>) =>
  new RequestContext(
    new Request(`http://localhost:3000/v1/patients${search}`, { headers }),
    'req_1',
    { requestIP: () => null },
    () => '203.0.113.7',
  )

const bearer = { authorization: 'Bearer svc_1' }
const shown: [string, Record<string, string>, string | null, boolean, boolean][] = [
  // What is sent; the token, whether the URL has one, and whether the header has another form.
  ['', {}, null, false, false],
  ['', bearer, 'svc_1', false, false],
  ['?limit=5', bearer, 'svc_1', false, false],
  ['?limit=5', {}, null, false, false],
  ['', { authorization: 'Basic svc_1' }, null, false, true],
  ['?access_token=svc_1', {}, null, true, false],
  ['?api_key=svc_1', bearer, null, true, true],
]
test.each(shown)('caller: %j with %j', (search, headers, token, tokenInAddress, otherScheme) => {
  expect(presentedBy(contextOf(search, headers))).toEqual({
    token,
    tokenInAddress,
    otherScheme,
    organization: null,
    request: 'req_1',
    address: '203.0.113.7',
  })
})

test('caller: the log names what is known of a caller, and no more', () => {
  const context = contextOf('', bearer)
  const body = { status: 200, body: '', headers: {}, allowance: null }
  keepOutcome(context, { ...body, caller: unauthenticated })
  expect(context.logFields).toEqual({})
  const caller = { ...unauthenticated, mode: 'test', integration: 'int_1' } as const
  const allowance = { policy: 'default', quota: 9, window: 60, left: 8, reset: 60 }
  keepOutcome(context, { ...body, allowance, caller })
  expect(context.logFields).toEqual({ mode: 'test', integration: 'int_1' })
  expect(context.allowance).toEqual(allowance)
})
