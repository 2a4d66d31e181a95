import { expect, test } from 'bun:test'
import { renderToString } from 'preact-render-to-string'
import { TransmissionNote } from './transmission.tsx'

const note = (error: string) =>
  renderToString(
    <TransmissionNote
      of={{
        pharmacy: 'Harbor Pharmacy',
        status: 'stopped',
        attempts: 9,
        due_at: '2026-11-20T15:04:05.000Z',
        error,
        http_status: null,
        detail: null,
        reference: null,
      }}
    />,
  )

test('a pharmacy that refused an order does not have it', () => {
  expect(note('rejected')).toContain('Harbor Pharmacy doesn’t have this order: it refused')
  expect(note('rejected')).toContain('Send it again, or fill it yourself.')
})

test('a pharmacy whose response was lost may have the order, so staff ask the pharmacy first', () => {
  for (const error of ['timeout', 'connection_failed', 'interrupted']) {
    const said = note(error)
    expect(said).not.toContain('doesn’t have this order')
    expect(said).toContain('They may still have it, so ask before you fill it')
  }
})
