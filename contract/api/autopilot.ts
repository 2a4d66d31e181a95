// The controls of a whole sandbox: its timers and its reset.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { define } from '../operation.ts'
import { closed, named, nullable, whole } from '../shapes.ts'

const timer = (description: string) =>
  nullable(whole(0, limits.autopilotSecondsMax), { description })

const approveAfter = timer(
  'Seconds from when a case entered queued or in_review to its approval; null: never by itself.',
)
const shipAfter = timer(
  "Seconds from an order's last change to its being shipped, and then delivered; null: never.",
)

export const Autopilot = named('Autopilot', "The sandbox's timers, which fire each full minute.", {
  approve_after_s: approveAfter,
  ship_after_s: shipAfter,
})

export const SandboxReset = named('SandboxReset', 'What a reset did.', {
  reset: Type.Literal(true),
  resources_deleted: Type.Integer({
    minimum: 0,
    description:
      'How many patients, consents, cases, messages, prescriptions, orders, visits, files, ' +
      'exports and charges are gone.',
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
      'A timer that is left out stays as it is; null turns one off. What already waits is ' +
      'measured by the new timers from the next full minute on.',
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
      'Removes every sandbox row of the integration at one moment, and turns autopilot off. ' +
      'Credentials and webhook endpoints stay. No event is written for what is removed, and a ' +
      'position held from before (`since`, `starting_after`) stays valid.',
    body: 'none',
    status: 200,
    returns: SandboxReset,
  },
})
