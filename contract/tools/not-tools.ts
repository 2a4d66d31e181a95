// Why the other operations aren't tools, grouped by reason.

import type { OperationId } from '../api.ts'
import { limits } from '../limits.ts'
import type { ToolId } from './prose.ts'

type NoToolId = Exclude<OperationId, ToolId>

const reasonTexts = {
  secret:
    'The response is a secret. What a model reads is logged, summarized and sometimes shared. Use the portal, the CLI or your own code.',
  destination:
    'No tool can change where or whether patient data is sent, so instructions hidden in a message cannot either.',
  chart: `The response gives access to most of a patient's record, including links that work for ${limits.exportHours} hours without a credential.`,
  bytes:
    "Uploading a file means sending exact headers to a signed URL, which a tool call can't do. Use a client library.",
  money:
    'Invoices are for the people who pay them. Exposing them would give agents more data with no clinical benefit.',
  covered: 'Another tool returns the complete record.',
} as const

type Reason = keyof typeof reasonTexts

const reasonOf: Readonly<Record<NoToolId, Reason>> = {
  createRealtimeToken: 'secret',
  createWebhookEndpoint: 'secret',
  rotateWebhookSecret: 'secret',
  updateWebhookEndpoint: 'destination',
  deleteWebhookEndpoint: 'destination',
  createExport: 'chart',
  getPatientExport: 'chart',
  getExport: 'chart',
  downloadExport: 'chart',
  createFile: 'bytes',
  confirmFile: 'bytes',
  getFile: 'bytes',
  deleteFile: 'bytes',
  getUsage: 'money',
  listInvoices: 'money',
  getInvoice: 'money',
  getMedication: 'covered',
  getEvent: 'covered',
  getWebhookEndpoint: 'covered',
  getAutopilot: 'covered',
}

export type LeftOut = { readonly why: string; readonly operations: readonly NoToolId[] }

/** The operations that aren't tools, grouped by reason. */
export const leftOut: readonly LeftOut[] = (Object.keys(reasonTexts) as Reason[]).map(reason => ({
  why: reasonTexts[reason],
  operations: (Object.keys(reasonOf) as NoToolId[]).filter(id => reasonOf[id] === reason),
}))
