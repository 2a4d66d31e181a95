import { developers, form, page, readers } from './row.ts'

/** Live mode has no sandbox. */
const row = { roles: developers, liveRoles: [] } as const

export const sandbox = {
  sandbox: page('/sandbox', 'Sandbox', { ...row, roles: readers, group: 'Build' }),
  runLoop: form('/sandbox/loop', 'File a case of an invented patient', {
    ...row,
    page: '/sandbox',
  }),
  setAutopilot: form('/sandbox/autopilot', 'Set the autopilot', { ...row, page: '/sandbox' }),
  setClock: form('/sandbox/clock', 'Advance the clock of the sandbox', {
    ...row,
    page: '/sandbox',
  }),
  resetSandbox: form('/sandbox/reset', 'Empty the sandbox', { ...row, page: '/sandbox' }),
  sandboxCase: page('/sandbox/cases/{id}', 'Case', { ...row, roles: readers }),
  moveCase: form('/sandbox/cases/{id}', 'Move a case of the sandbox', row),
  moveVisit: form('/sandbox/visits/{id}', 'Move a visit of the sandbox', {
    ...row,
    page: '/sandbox',
  }),
}
