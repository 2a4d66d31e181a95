import { developers, form, page, readers } from './row.ts'

/** Live mode has no sandbox. */
const row = { roles: developers, liveRoles: [] } as const

export const sandbox = {
  sandbox: page('/sandbox', 'Sandbox', { ...row, roles: readers, group: 'Build' }),
  runLoop: form('/sandbox/loop', 'File test case', {
    ...row,
    page: '/sandbox',
  }),
  setAutopilot: form('/sandbox/autopilot', 'Set autopilot', { ...row, page: '/sandbox' }),
  setClock: form('/sandbox/clock', 'Advance sandbox clock', {
    ...row,
    page: '/sandbox',
  }),
  publishConsent: form('/sandbox/consents', 'Publish consent version', {
    ...row,
    page: '/sandbox',
  }),
  resetSandbox: form('/sandbox/reset', 'Reset sandbox', { ...row, page: '/sandbox' }),
  sandboxCase: page('/sandbox/cases/{id}', 'Case', { ...row, roles: readers }),
  moveCase: form('/sandbox/cases/{id}', 'Move sandbox case', row),
  renewConsents: form('/sandbox/cases/{id}/consents', 'Record consents or file again', {
    ...row,
    page: '/sandbox/cases/{id}',
  }),
  moveVisit: form('/sandbox/visits/{id}', 'Move sandbox visit', {
    ...row,
    page: '/sandbox',
  }),
}
