// The controls of a whole sandbox: its timers and its reset.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define } from '../operation.ts'
import { closed, named, nullable, whole } from '../shapes.ts'

const timer = (description: string) =>
  nullable(whole(0, limits.autopilotSecondsMax), { description })

const approveAfter = timer(
  'Seconds from a case entering queued or in_review to its approval. null turns it off.',
)
const shipAfter = timer(
  "Seconds from an order's last change to its shipping, then to its delivery. null turns it off.",
)

export const Autopilot = named('Autopilot', "The sandbox's timers. They run every full minute.", {
  approve_after_s: approveAfter,
  ship_after_s: shipAfter,
})

export const SandboxReset = named('SandboxReset', 'What a reset did.', {
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
      'An omitted timer is unchanged; null turns one off. New values apply to waiting cases and ' +
      'orders from the next full minute.',
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
    summary: 'Empty the sandbox.',
    description:
      'Deletes all sandbox data of the integration at once, and turns autopilot off. Credentials ' +
      'and webhook endpoints are kept. Deletions write no events, and earlier positions ' +
      '(`since`, `starting_after`) stay valid, unless the clock of the sandbox had been advanced.',
    body: 'none',
    status: 200,
    returns: SandboxReset,
  },
})
