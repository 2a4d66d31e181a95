// Pages for visits and clinicians' hours.

import { consoleOperations } from './operations.ts'
import { by, form, page } from './page.ts'
import { staffRoles } from './row.ts'

const of = consoleOperations
const schedulers = ['admin', 'clinician'] as const

export const visitPages = {
  visits: page('/visits', 'Visits', { ...by(of.listClinicVisits), group: 'Care' }),
  joinVisit: page('/visits/{id}/join', 'Video room', by(of.joinClinicVisit)),
  startVisit: form('/visits/{id}/start', 'Start visit', {
    ...by(of.startClinicVisit),
    page: '/visits',
  }),
  completeVisit: form('/visits/{id}/complete', 'Complete visit', {
    ...by(of.completeClinicVisit),
    page: '/visits',
  }),
  missVisit: form('/visits/{id}/no-show', 'Mark as no-show', {
    ...by(of.missClinicVisit),
    page: '/visits',
  }),
  cancelVisit: form('/visits/{id}/cancel', 'Cancel visit', {
    ...by(of.cancelClinicVisit),
    page: '/visits',
  }),
  visitNote: page('/visits/{id}/note', 'Visit note', by(of.readClinicVisit)),
  writeVisitNote: form('/visits/{id}/note', 'Write a note', {
    ...by(of.signVisitNote),
  }),
  addVisitAddendum: form('/visits/{id}/addenda', 'Add an addendum', {
    ...by(of.addAddendum),
    page: '/visits/{id}/note',
  }),
  showMove: page('/visits/{id}/move', 'Reschedule visit', by(of.moveClinicVisit)),
  moveVisit: form('/visits/{id}/move', 'Reschedule visit', by(of.moveClinicVisit)),
  preferences: page('/preferences', 'Preferences', { roles: staffRoles }),
  changePreferences: form('/preferences', 'Change preferences', { roles: staffRoles }),
  schedule: page('/schedule', 'Schedule', { roles: schedulers, group: 'Clinic' }),
  addHours: form('/schedule/hours', 'Add weekly hours', { roles: schedulers, page: '/schedule' }),
  addException: form('/schedule/exceptions', 'Add time off or extra time', {
    roles: schedulers,
    page: '/schedule',
  }),
  removeHours: form('/schedule/{id}/remove', 'Remove from the schedule', {
    roles: schedulers,
    page: '/schedule',
  }),
}
