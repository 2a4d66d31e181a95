// One example of each named schema.

import { previewSchemaExamples } from './preview.ts'
import * as files from './files.ts'
import * as resources from './resources.ts'
import * as visits from './visits.ts'

/** Examples by schema name. */
export const schemaExamples: Readonly<Record<string, unknown>> = {
  Organization: resources.organization,
  Medication: resources.medication,
  Address: resources.address,
  Patient: resources.patient,
  Consent: resources.consent,
  Case: resources.approvedCase,
  RequestedMedication: resources.requested,
  Answer: resources.answer,
  PlanLine: resources.planLine,
  Message: resources.message,
  Prescription: resources.prescription,
  Order: resources.order,
  Tracking: resources.tracking,
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
  Event: resources.event,
  WebhookEndpoint: resources.webhookEndpoint,
  Delivery: resources.delivery,
  Deleted: resources.deleted,
  FieldError: resources.fieldError,
  RealtimeToken: resources.realtimeToken,
  Autopilot: resources.autopilot,
  SandboxReset: resources.sandboxReset,
}

/** The example of a named schema, or of a list of one. */
export function schemaExample(schema: Readonly<Record<string, unknown>>): unknown {
  const name = schema['$id']
  if (typeof name === 'string') return schemaExamples[name] ?? previewSchemaExamples[name]
  const { data } = schema['properties'] as { data: { items: Readonly<Record<string, unknown>> } }
  return { data: [schemaExample(data.items)], has_more: false }
}
