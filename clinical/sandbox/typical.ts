// A triggered event's previous and new status, for each type.

import type { EventType } from '#contract/events.ts'

type Move = readonly [previous: string | null, status: string]

export const typicalStatuses: Readonly<Record<EventType, Move>> = {
  'patient.created.v1': [null, 'active'],
  'patient.updated.v1': ['active', 'active'],
  'patient.deleted.v1': ['active', 'deleted'],
  'case.received.v1': [null, 'received'],
  'case.queued.v1': [null, 'queued'],
  'case.in_review.v1': ['queued', 'in_review'],
  'case.waiting_on_patient.v1': ['in_review', 'waiting_on_patient'],
  'case.waiting_on_integration.v1': ['in_review', 'waiting_on_integration'],
  'case.approved.v1': ['in_review', 'approved'],
  'case.declined.v1': ['in_review', 'declined'],
  'case.cancelled.v1': ['waiting_on_integration', 'cancelled'],
  'case.withdrawn.v1': ['in_review', 'withdrawn'],
  'case.question_asked.v1': ['waiting_on_patient', 'waiting_on_patient'],
  'case.message_created.v1': ['in_review', 'in_review'],
  'prescription.created.v1': [null, 'active'],
  'prescription.updated.v1': ['active', 'filled'],
  'order.created.v1': [null, 'created'],
  'order.at_pharmacy.v1': ['created', 'at_pharmacy'],
  'order.shipped.v1': ['at_pharmacy', 'shipped'],
  'order.delivered.v1': ['shipped', 'delivered'],
  'order.blocked.v1': ['created', 'blocked'],
  'order.failed.v1': ['blocked', 'failed'],
  'visit.booked.v1': [null, 'scheduled'],
  'visit.rescheduled.v1': ['scheduled', 'scheduled'],
  'visit.cancelled.v1': ['scheduled', 'cancelled'],
  'visit.started.v1': ['scheduled', 'started'],
  'visit.completed.v1': ['started', 'completed'],
  'visit.no_show.v1': ['scheduled', 'no_show'],
  'consent.recorded.v1': [null, 'current'],
  'file.attached.v1': ['reserved', 'attached'],
  'charge.created.v1': [null, 'pending'],
  'webhook_endpoint.disabled.v1': ['enabled', 'disabled'],
}
