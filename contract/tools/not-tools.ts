// Why each of the other operations is no tool, by the reason that they have in common.

import type { OperationId } from '../api.ts'
import type { ToolId } from './prose.ts'

type NoToolId = Exclude<OperationId, ToolId>

const reasonTexts = {
  secret:
    'The answer is a secret. What a model reads is logged, summarized and sometimes shared. Use the portal, the command line or your own code.',
  destination:
    'No tool changes where patient data is sent, or whether it is: an instruction that is hidden in a message must not be able to.',
  chart:
    'The answer leads to most of the record of a patient, and to links that work for 24 hours without a credential.',
  bytes:
    'A file is uploaded to a signed address with exact headers, which a tool call cannot do. Use a client library.',
  money:
    'The scope of invoices belongs to those who pay them. It would widen what an agent sees for no clinical use.',
  covered: 'Another tool answers the same record whole.',
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

/** By reason. */
export const leftOut: readonly LeftOut[] = (Object.keys(reasonTexts) as Reason[]).map(reason => ({
  why: reasonTexts[reason],
  operations: (Object.keys(reasonOf) as NoToolId[]).filter(id => reasonOf[id] === reason),
}))
