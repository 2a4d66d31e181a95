// An order's status in words.
import { Badge } from '#http/html/parts.tsx'
import { statusText } from '#http/html/status-text.ts'
import type { OperationResult } from '../../context.ts'

export type StaffOrder = Extract<OperationResult<'readOrder'>, { problem: null }>['value']

const tones = {
  created: 'waiting',
  at_pharmacy: 'waiting',
  shipped: 'plain',
  delivered: 'good',
  blocked: 'bad',
  failed: 'bad',
} as const

export const OrderState = ({ status }: { status: keyof typeof tones }) => (
  <Badge tone={tones[status]}>{statusText(status)}</Badge>
)
