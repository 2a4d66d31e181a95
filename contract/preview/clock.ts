// A sandbox's clock, which can be ahead of real time.

import { daySeconds } from '../moments.ts'
import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { closed, moment, named, nullable, whole } from '../shapes.ts'
import { definePreview } from '../operation.ts'

const TestClock = named('TestClock', "Your sandbox's clock.", {
  now: moment({ description: 'The current time in your sandbox.' }),
  ahead_s: Type.Integer({
    description: 'How many seconds the clock is ahead of real time. 0 until you advance it.',
  }),
  is_advancing: Type.Boolean({ description: 'Whether the clock is advancing to `target`.' }),
  target: nullable(moment(), {
    description: 'The time the clock is advancing to. null when it is not advancing.',
  }),
})

const Advance = closed({
  advance_by_s: Type.Optional(
    whole(1, limits.clockAdvanceDays * daySeconds, {
      description: 'Seconds to advance from now, or from the target of an advance in progress.',
    }),
  ),
  set_to: Type.Optional(
    moment({ description: 'A time after now, and after the target of any advance in progress.' }),
  ),
  resume: Type.Optional(
    Type.Boolean({
      description: 'If true, stop an advance in progress and let time pass normally from there.',
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
    summary: "Read your sandbox's clock.",
    description: 'One clock covers all of your test data, in every organization.',
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
    summary: "Advance your sandbox's clock.",
    description:
      'Send exactly one of `advance_by_s`, `set_to` and `resume`. The clock moves from each due ' +
      'task to the next, such as an autopilot step or a webhook attempt, and waits until that task ' +
      'is done. Everything happens in order and at its own time, including events and their ' +
      'deliveries. Poll `GET /preview/test/clock` until `is_advancing` is false. A second advance ' +
      `extends one in progress. Limited to ${limits.clockAdvanceDays} days per request and ` +
      `${limits.clockAheadDays} days ahead of real time; \`POST /v1/test/reset\` resets the clock. ` +
      'Credentials, rate limits, idempotency keys, realtime tokens and the time in webhook ' +
      'signatures stay in real time.',
    body: Advance,
    status: 200,
    returns: TestClock,
  },
})
