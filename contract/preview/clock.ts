// The clock of a sandbox, which may be ahead of real time.

import { daySeconds } from '../moments.ts'
import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { closed, moment, named, nullable, whole } from '../shapes.ts'
import { definePreview } from '../operation.ts'

const TestClock = named('TestClock', 'The clock of your sandbox.', {
  now: moment({ description: 'The time of your sandbox.' }),
  ahead_s: Type.Integer({
    description: 'By how many seconds it is ahead of real time; 0 until you advance it.',
  }),
  is_advancing: Type.Boolean({ description: 'Whether it is on its way to `target`.' }),
  target: nullable(moment(), {
    description: 'The time that it is being advanced to; null when it has arrived.',
  }),
})

const Advance = closed({
  advance_by_s: Type.Optional(
    whole(1, limits.clockAdvanceDays * daySeconds, {
      description: 'So many seconds later than now, or than the target of a running advance.',
    }),
  ),
  set_to: Type.Optional(
    moment({ description: 'A time later than now, and than the target of a running advance.' }),
  ),
  resume: Type.Optional(
    Type.Boolean({
      description: 'true: a running advance ends where it is, and time passes as usual again.',
    }),
  ),
})

export const clock = definePreview({
  getTestClock: {
    method: 'GET',
    path: '/preview/test/clock',
    tag: 'Sandbox clock',
    scope: 'test:manage',
    mode: 'test',
    tool: false,
    summary: 'Read the clock of your sandbox.',
    description: 'One clock for all test data of your integration, whatever the organization.',
    status: 200,
    returns: TestClock,
  },
  setTestClock: {
    method: 'POST',
    path: '/preview/test/clock',
    tag: 'Sandbox clock',
    scope: 'test:manage',
    mode: 'test',
    tool: false,
    summary: 'Advance the clock of your sandbox.',
    description:
      'Send exactly one of `advance_by_s`, `set_to` and `resume`. The clock moves from one thing ' +
      'that is due to the next, such as a step of the autopilot or an attempt to deliver a ' +
      'webhook, and waits at each until that is done. So everything happens in order and with its ' +
      'own time, also the event of a decision and its delivery. Poll `GET /preview/test/clock` ' +
      'until `is_advancing` is false. A second advance extends a running one. At most ' +
      `${limits.clockAdvanceDays} days in a call, and ${limits.clockAheadDays} days ahead of real ` +
      'time; `POST /v1/test/reset` sets the clock back. Credentials, rate limits, idempotency ' +
      'keys, realtime tokens and the time in a webhook signature stay in real time.',
    body: Advance,
    status: 200,
    returns: TestClock,
  },
})
