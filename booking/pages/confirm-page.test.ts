// The pages that confirm a time: what they ask, and how they show what must change.
import { describe, expect, test } from 'bun:test'
import type { Fault } from '../booking-service.ts'
import { confirmPage, type ConfirmView, movePage } from './confirm-page.ts'

const slot = { start: '2027-03-08T18:00:00.000Z', end: '2027-03-08T18:30:00.000Z' }
const later = { start: '2027-03-08T18:30:00.000Z', end: '2027-03-08T19:00:00.000Z' }
const timeZone = 'America/New_York'
const view: ConfirmView = {
  start: slot.start,
  timeZone,
  entered: { firstName: '', email: '', note: '' },
  faults: [],
  alternatives: null,
}
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
const pageOf = (more: Partial<ConfirmView> = {}) => {
  const { title, body } = confirmPage({ ...view, ...more })
  return { title, html: oneLine(body.text) }
}
const fault = (field: Fault['field']): Fault => ({ field, code: 'invalid', detail: 'must be so.' })
/** The attributes of a control by its name. */
const controlOf = (html: string, name: string) =>
  new RegExp(`<(?:input|textarea)[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? ''

describe('booking page: a time to confirm', () => {
  test('shows the time, the form and no error', () => {
    const { title, html } = pageOf()
    expect(title).toBe('Book this time')
    expect(html).toContain('<strong>1:00 PM EST</strong> <span>Monday, March 8, 2027</span>')
    expect(html).toContain(`<input type="hidden" name="start" value="${slot.start}" />`)
    expect(html).toContain('Book the call</button>')
    expect(html).not.toMatch(/role="alert"|class="fault"|aria-invalid|type="radio"/)
    expect(controlOf(html, 'first_name')).not.toContain('aria-describedby')
    expect(controlOf(html, 'email')).toContain('aria-describedby="email-hint"')
    expect(html.match(/class="hint"/g)).toHaveLength(2)
  })

  test('lists each error once above, with a link to its field, and once at the field', () => {
    const { html } = pageOf({ faults: [fault('first_name'), fault('email'), fault('note')] })
    expect(html).toContain('role="alert"')
    for (const [name, label, described] of [
      ['first_name', 'First name', 'first_name-fault'],
      ['email', 'Email', 'email-hint email-fault'],
      ['note', 'Note', 'note-hint note-fault'],
    ] as const) {
      expect(html).toContain(`<li><a href="#${name}">${label}</a> must be so.</li>`)
      expect(html).toContain(`<p class="fault" id="${name}-fault">${label} must be so.</p>`)
      expect(controlOf(html, name)).toContain(`aria-describedby="${described}"`)
      expect(controlOf(html, name)).toContain('aria-invalid="true"')
    }
    expect(html).toContain('Book the call</button>')
  })

  test('marks the wrong field, and no other', () => {
    const { html } = pageOf({ faults: [fault('email')] })
    expect(html).toContain('role="alert"')
    expect(html.match(/class="fault"/g)).toHaveLength(1)
    expect(controlOf(html, 'first_name')).not.toContain('aria-')
    expect(controlOf(html, 'email')).toContain('aria-invalid="true"')
    expect(controlOf(html, 'note')).not.toContain('aria-invalid')
  })

  test('that is not offered or in no time zone is named without a link, and cannot be booked', () => {
    const { html } = pageOf({ faults: [fault('start'), fault('timezone')] })
    expect(html).toContain('<li>Time must be so.</li>')
    expect(html).toContain('<li>Time zone must be so.</li>')
    expect(html).not.toContain('<button')
    expect(html).toContain('Pick another time</a>')
  })

  test('that was taken is replaced by others, of which the nearest is chosen', () => {
    const { title, html } = pageOf({ alternatives: [slot, later] })
    expect(title).toBe('That time was just taken')
    expect(html).not.toContain('<time')
    const choices = html.match(/<input type="radio"[^>]*>/g) ?? []
    expect(choices.map(each => / checked/.test(each))).toEqual([true, false])
    expect(choices[1]).toContain(`value="${later.start}"`)
    expect(html).toContain('Monday, March 8, 2027, 1:30 PM EST</label>')
  })
})

test('booking page: a call without a time takes one, and another one is moved', () => {
  const wanted = { start: later.start, timeZone, key: 'key' }
  const first = movePage(wanted, null)
  expect(first.title).toBe('Take this time?')
  expect(first.body.text).toContain('Book the call</button>')
  expect(first.body.text).not.toContain('Instead of')
  const other = movePage(wanted, slot)
  expect(other.title).toBe('Move the call?')
  expect(other.body.text).toContain('Move it here</button>')
  expect(other.body.text).toContain('Instead of Monday, March 8, 2027, 1:00 PM EST.')
})
