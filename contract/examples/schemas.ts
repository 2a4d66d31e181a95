// One example of each named schema.

import * as files from './files.ts'
import * as story from './resources.ts'
import * as visits from './visits.ts'

/** By the name of the schema. */
export const schemaExamples: Readonly<Record<string, unknown>> = {
  Organization: story.organization,
  Medication: story.medication,
  Address: story.address,
  Patient: story.patient,
  Consent: story.consent,
  Case: story.approvedCase,
  RequestedMedication: story.requested,
  Answer: story.answer,
  PlanLine: story.planLine,
  Message: story.message,
  Prescription: story.prescription,
  Order: story.order,
  Tracking: story.tracking,
  Visit: visits.visit,
  SlotList: visits.slots,
  JoinLink: visits.joinLink,
  Charge: visits.charge,
  Usage: visits.usage,
  Invoice: visits.invoice,
  Export: files.completedExport,
  ExportBundle: files.bundle,
  File: files.file,
  FileUpload: files.upload,
  Event: story.event,
  WebhookEndpoint: story.webhookEndpoint,
  Delivery: story.delivery,
  Deleted: story.deleted,
  FieldError: story.fieldError,
  RealtimeToken: story.realtimeToken,
  Autopilot: story.autopilot,
  SandboxReset: story.sandboxReset,
}

/** The example of a named schema, or of a list of one. */
export function schemaExample(schema: Readonly<Record<string, unknown>>): unknown {
  const name = schema['$id']
  if (typeof name === 'string') return schemaExamples[name]
  const { data } = schema['properties'] as { data: { items: Readonly<Record<string, unknown>> } }
  return { data: [schemaExample(data.items)], has_more: false }
}
