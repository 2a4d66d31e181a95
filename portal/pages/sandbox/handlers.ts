// Handlers for the sandbox pages and forms.
import { moveCase, renewConsents, showCase } from './case.tsx'
import {
  moveVisit,
  publishConsent,
  resetSandbox,
  runLoop,
  setAutopilot,
  setClock,
} from './changes.ts'
import { showSandbox } from './sandbox.tsx'

export const sandboxHandlers = {
  sandbox: showSandbox,
  sandboxCase: showCase,
  moveCase,
  moveVisit,
  runLoop,
  setAutopilot,
  setClock,
  publishConsent,
  renewConsents,
  resetSandbox,
}
