// Operations on a whole sandbox: its timers and its reset.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define } from '../operation.ts'
import { closed, named, nullable, whole } from '../shapes.ts'

const timer = (description: string) =>
  nullable(whole(0, limits.autopilotSecondsMax), { description })

const approveAfter = timer(
  'Seconds from a case entering queued or in_review until it is approved. null turns it off.',
)
const shipAfter = timer(
  "Seconds from an order's last change until it ships, then until it is delivered. null turns it off.",
)

export const Autopilot = named('Autopilot', "The sandbox's timers, which run once a minute.", {
  approve_after_s: approveAfter,
  ship_after_s: shipAfter,
})

export const SandboxReset = named('SandboxReset', 'The result of a sandbox reset.', {
  reset: Type.Literal(true),
  resources_deleted: Type.Integer({
    minimum: 0,
    description:
      'How many patients, consents, cases, messages, prescriptions, orders, visits, files, ' +
      'exports and charges were deleted.',
  }),
})

export const autopilot = define({
  getAutopilot: {
    method: 'GET',
    path: '/v1/test/autopilot',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: false,
    summary: "Read the sandbox's timers.",
    status: 200,
    returns: Autopilot,
  },
  updateAutopilot: {
    method: 'PATCH',
    path: '/v1/test/autopilot',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: "Set the sandbox's timers.",
    description:
      'Omitted timers keep their values; null turns one off. New values apply to waiting cases and ' +
      'orders starting the next minute.',
    body: closed({
      approve_after_s: Type.Optional(approveAfter),
      ship_after_s: Type.Optional(shipAfter),
    }),
    status: 200,
    returns: Autopilot,
  },
  resetSandbox: {
    method: 'POST',
    path: '/v1/test/reset',
    tag: 'Sandbox',
    scope: 'test:manage',
    mode: 'test',
    tool: true,
    summary: 'Reset the sandbox.',
    description:
      "Deletes all of the integration's sandbox data and turns autopilot off. Keeps credentials " +
      'and webhook endpoints. Deletions send no events, and earlier cursors (`since`, ' +
      '`starting_after`) stay valid unless you had advanced the sandbox clock.',
    body: 'none',
    status: 200,
    returns: SandboxReset,
  },
})
