// An invoice as a PDF.
import Document from 'pdfkit'
import { dayText, monthText } from '#http/html/dates.ts'
import { moneyText } from '#http/html/money.ts'
import type { ApiResult, PortalContext } from '../../context.ts'
import { statusText } from '#http/html/status-text.ts'
import { runsOf } from './pdf-faces.ts'

export type Invoice = Extract<ApiResult<'getInvoice'>, { problem: null }>['value']

/** Points on a US Letter page. */
const margin = 54
const columns = [
  { name: 'Date', at: margin, width: 90 },
  { name: 'Charge', at: margin + 90, width: 300 },
  { name: 'Amount', at: margin + 390, width: 114 },
] as const

export async function pdfOf(
  invoice: Invoice,
  { site }: PortalContext,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const page = new Document({
    size: 'LETTER',
    margin,
    font: '',
    lang: 'en-US',
    displayTitle: true,
    info: {
      Title: `Invoice ${invoice.number}`,
      Author: site.name,
      CreationDate: new Date(invoice.issued_at),
    },
  })
  const parts: Uint8Array[] = []
  page.on('data', (part: Uint8Array) => parts.push(part))
  const ended = new Promise(resolve => page.on('end', resolve))
  writeHead(page, invoice, site.name, name)
  writeCharges(page, invoice)
  writeSums(page, invoice)
  page.end()
  await ended
  return Buffer.concat(parts)
}

type Page = InstanceType<typeof Document>
type TextOptions = PDFKit.Mixins.TextOptions

function writeHead(page: Page, invoice: Invoice, from: string, to: string): void {
  write(page.fontSize(20), `Invoice ${invoice.number}`, margin, page.y)
  page.moveDown(0.5).fontSize(10)
  const rows: readonly (readonly [string, string])[] = [
    ['From', from],
    ['To', to],
    ['For', `${monthText(invoice.period_start)} (UTC)`],
    ['Issued', dayText(invoice.issued_at)],
    ['Due date', dayText(invoice.due_at)],
    ['Status', statusText(invoice.status)],
  ]
  for (const [label, value] of rows) {
    const { y } = page
    write(page.fillColor(quiet), label, margin, y)
    write(page.fillColor('black'), value, margin + 90, y, { width: 414 })
  }
  page.moveDown(1.5)
}

const quiet = '#555555'

function write(page: Page, text: string, x: number, y: number, options: TextOptions = {}): void {
  const runs = runsOf(text)
  for (const [at, { face, text: part }] of runs.entries()) {
    page.registerFont(face.file, face.content).font(face.file)
    const sent = { ...options, continued: at < runs.length - 1 }
    if (at === 0) page.text(part, x, y, sent)
    else page.text(part, sent)
  }
}

function writeCharges(page: Page, invoice: Invoice): void {
  writeRow(page, ['Date', 'Charge', 'Amount'], quiet)
  for (const one of invoice.charges ?? []) {
    if (page.y > page.page.height - margin - 40) {
      page.addPage()
      writeRow(page, ['Date', 'Charge', 'Amount'], quiet)
    }
    const what = one.reverses === null ? one.kind : `Reversal of ${one.reverses}`
    const cells = [dayText(one.created_at), `${what}\n${one.resource.id}`] as const
    writeRow(page, [...cells, moneyText(one.amount, one.currency)], 'black')
  }
}

function writeRow(page: Page, cells: readonly string[], color: string): void {
  const top = page.y
  page.fillColor(color).fontSize(9)
  const heights = columns.map((column, at) => {
    const align = column.name === 'Amount' ? 'right' : 'left'
    write(page, cells[at] ?? '', column.at, top, { width: column.width, align })
    return page.y
  })
  page.y = Math.max(...heights) + 4
  page
    .moveTo(margin, page.y)
    .lineTo(margin + 504, page.y)
    .lineWidth(0.5)
    .strokeColor('#cccccc')
    .stroke()
  page.y += 4
}

function writeSums(page: Page, invoice: Invoice): void {
  const { currency, total, amount_paid: paid, amount_due: due } = invoice
  if (page.y > page.page.height - margin - 70) page.addPage()
  page.moveDown(0.5)
  for (const [label, amount] of [
    ['Total', total],
    ['Paid', paid],
    ['Amount due', due],
  ] as const) {
    const { y } = page
    page
      .fillColor(label === 'Amount due' ? 'black' : quiet)
      .fontSize(label === 'Amount due' ? 12 : 10)
    write(page, label, margin + 300, y, { width: 90 })
    write(page, moneyText(amount, currency), margin + 390, y, { width: 114, align: 'right' })
    page.moveDown(0.2)
  }
}
