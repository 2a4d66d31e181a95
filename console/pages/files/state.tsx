// A document and its status in one word.
import { Badge } from '#http/html/parts.tsx'
import type { OperationResult } from '../../context.ts'

export type StaffFile = Extract<OperationResult<'readFile'>, { problem: null }>['value']

export function FileState({ file }: { file: StaffFile }) {
  if (file.removed !== null) return <Badge tone="plain">Removed</Badge>
  if (file.removal !== null) return <Badge tone="waiting">Removal requested</Badge>
  if (file.scan === 'refused') return <Badge tone="bad">Not shown</Badge>
  return file.scan === 'clean' ? (
    <Badge tone="good">Scanned</Badge>
  ) : (
    <Badge tone="waiting">Scanning</Badge>
  )
}
