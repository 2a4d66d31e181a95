// The pages of visits, and of the hours of clinicians.

import { consoleOperations } from './operations.ts'
import { by, definePages } from './page.ts'

const of = consoleOperations
const visits = '/{organization}/visits'
const schedule = '/{organization}/schedule'
const schedulers = ['admin', 'clinician'] as const

export const visitPages = definePages({
  visits: {
    method: 'GET',
    path: visits,
    title: 'Visits',
    ...by(of.listClinicVisits),
    group: 'Care',
  },
  joinVisit: {
    method: 'GET',
    path: '/{organization}/visits/{id}/join',
    title: 'Enter the video room',
    ...by(of.joinClinicVisit),
  },
  startVisit: {
    method: 'POST',
    path: '/{organization}/visits/{id}/start',
    title: 'Start a visit',
    ...by(of.startClinicVisit),
    page: visits,
  },
  completeVisit: {
    method: 'POST',
    path: '/{organization}/visits/{id}/complete',
    title: 'Complete a visit',
    ...by(of.completeClinicVisit),
    page: visits,
  },
  missVisit: {
    method: 'POST',
    path: '/{organization}/visits/{id}/no-show',
    title: 'Mark a no-show',
    ...by(of.missClinicVisit),
    page: visits,
  },
  cancelVisit: {
    method: 'POST',
    path: '/{organization}/visits/{id}/cancel',
    title: 'Cancel a visit',
    ...by(of.cancelClinicVisit),
    page: visits,
  },
  showMove: {
    method: 'GET',
    path: '/{organization}/visits/{id}/move',
    title: 'Move a visit',
    ...by(of.moveClinicVisit),
  },
  moveVisit: {
    method: 'POST',
    path: '/{organization}/visits/{id}/move',
    title: 'Move a visit',
    ...by(of.moveClinicVisit),
  },
  schedule: {
    method: 'GET',
    path: schedule,
    title: 'Schedule',
    roles: schedulers,
    group: 'Clinic',
  },
  addHours: {
    method: 'POST',
    path: '/{organization}/schedule/hours',
    title: 'Add weekly hours',
    roles: schedulers,
    page: schedule,
  },
  addException: {
    method: 'POST',
    path: '/{organization}/schedule/exceptions',
    title: 'Add a time off or an extra time',
    roles: schedulers,
    page: schedule,
  },
  removeHours: {
    method: 'POST',
    path: '/{organization}/schedule/{id}/remove',
    title: 'Remove from the schedule',
    roles: schedulers,
    page: schedule,
  },
})
