// Tests an invoice's PDF with an independent reader.
import { expect, test } from 'bun:test'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { pdfOf } from './invoice-pdf.ts'
import { runsOf } from './pdf-faces.ts'

const names = [
  'Łódź Zdrowie',
  'O’Brien & Šimić',
  'Nguyễn Thị Đặng',
  'Ωμέγα Ὀδυσσεύς',
  'Привет Їжак',
  '李明 山田 김',
  'عيادة',
]

const at = '2027-03-08T15:00:00.000Z'
const amounts = { total: 4900, amount_paid: 0, amount_due: 4900, currency: 'USD' }
const times = { period_start: '2027-02-01T00:00:00.000Z', issued_at: at, due_at: at }
const invoice = { number: 'INV-000001', status: 'open', charges: [], ...amounts, ...times }
const portal = { site: { name: 'Klinik Ärzte Ω' } }

const rendered = (name: string) =>
  pdfOf(
    invoice as unknown as Parameters<typeof pdfOf>[0],
    portal as Parameters<typeof pdfOf>[1],
    name,
  )

test.each(names)('an invoice’s PDF embeds a glyph for each character in %p', async name => {
  for (const { face, text } of runsOf(name)) {
    for (const character of text) expect(face.has(character.codePointAt(0) ?? 0)).toBe(true)
  }
  const pdf = await rendered(name)
  expect(Buffer.from(pdf).includes('Helvetica')).toBe(false)
  const opened = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const { items } = await (await opened.getPage(1)).getTextContent()
  const text = items.map(item => ('str' in item ? item.str : '')).join('')
  // Right-to-left letters come in page order.
  if (!/\p{Script=Arabic}/u.test(name)) expect(text).toContain(name)
  expect(text).toContain(portal.site.name)
})
