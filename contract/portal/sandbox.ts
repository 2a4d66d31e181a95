import { definePortal, developers, readers } from './row.ts'

const page = '/{integration}/{mode}/sandbox'
const onePage = '/{integration}/{mode}/sandbox/cases/{id}'

/** Live mode has no sandbox. */
const row = { roles: developers, liveRoles: [] } as const

export const sandbox = definePortal({
  sandbox: {
    ...row,
    method: 'GET',
    path: page,
    title: 'Sandbox',
    roles: readers,
    group: 'Build',
  },
  runLoop: {
    ...row,
    method: 'POST',
    path: '/{integration}/{mode}/sandbox/loop',
    title: 'File a case of an invented patient',
    page,
  },
  setAutopilot: {
    ...row,
    method: 'POST',
    path: '/{integration}/{mode}/sandbox/autopilot',
    title: 'Set the autopilot',
    page,
  },
  setClock: {
    ...row,
    method: 'POST',
    path: '/{integration}/{mode}/sandbox/clock',
    title: 'Advance the clock of the sandbox',
    page,
  },
  resetSandbox: {
    ...row,
    method: 'POST',
    path: '/{integration}/{mode}/sandbox/reset',
    title: 'Empty the sandbox',
    page,
  },
  sandboxCase: { ...row, method: 'GET', path: onePage, title: 'Case', roles: readers },
  moveCase: {
    ...row,
    method: 'POST',
    path: onePage,
    title: 'Move a case of the sandbox',
    page: onePage,
  },
  moveVisit: {
    ...row,
    method: 'POST',
    path: '/{integration}/{mode}/sandbox/visits/{id}',
    title: 'Move a visit of the sandbox',
    page,
  },
})
