// An invoice as a PDF and its charges as CSV, for bookkeeping.
import type PDFDocument from 'pdfkit'
import { isId, prefixes } from '#contract/ids.ts'
import { csvOf } from '#http/html/csv.ts'
import { dayText, monthText } from '#http/html/dates.ts'
import { majorUnits, moneyText } from '#http/html/money.ts'
import type { ApiResult, MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { missing } from '../../refused.tsx'
import { statusWord } from '../status-words.ts'
import { runsOf } from './pdf-faces.ts'

type Invoice = Extract<ApiResult<'getInvoice'>, { problem: null }>['value']
type Charge = NonNullable<Invoice['charges']>[number]

/** The invoice in the path, or null if the account has none with that ID. */
export async function invoiceOf(call: MemberCall): Promise<Invoice | null> {
  const id = call.names['id'] ?? ''
  if (!isId(prefixes.invoice, id)) return null
  const organization = call.query.get('organization')
  const result = await call.api('getInvoice', { names: { id }, organization })
  return result.problem === null ? result.value : null
}

export const noSuchInvoice = (call: MemberCall) =>
  missing('Invoice not found', call.pathOf('usage'), 'Usage and invoices')

const invoiceCsv: PortalHandler = async (_portal, call) => {
  const invoice = await invoiceOf(call)
  if (invoice === null) return noSuchInvoice(call)
  const head = ['charge', 'kind', 'for', 'amount', 'currency', 'reverses', 'created_at']
  const rows = chargesOf(invoice).map(one => [
    one.id,
    one.kind,
    one.resource.id,
    majorUnits(one.amount, one.currency),
    one.currency,
    one.reverses,
    one.created_at,
  ])
  return {
    file: {
      name: `${invoice.number}.csv`,
      type: 'text/csv; charset=utf-8',
      content: csvOf(head, rows),
    },
  }
}

const invoicePdf: PortalHandler = async (portal, call) => {
  const invoice = await invoiceOf(call)
  if (invoice === null) return noSuchInvoice(call)
  const content = await pdfOf(invoice, portal, call.member.name)
  return { file: { name: `${invoice.number}.pdf`, type: 'application/pdf', content } }
}

const chargesOf = ({ charges }: Invoice): readonly Charge[] => charges ?? []

/** Points on a US Letter page. */
const margin = 54
const columns = [
  { name: 'Date', at: margin, width: 90 },
  { name: 'Charge', at: margin + 90, width: 300 },
  { name: 'Amount', at: margin + 390, width: 114 },
] as const

/** The library is loaded for the first requested invoice. */
export async function pdfOf(
  invoice: Invoice,
  { site }: PortalContext,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { default: Document } = await import('pdfkit')
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

type Page = InstanceType<typeof PDFDocument>
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
    ['Status', statusWord(invoice.status)],
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
  for (const one of chargesOf(invoice)) {
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

export const invoiceFileHandlers = { invoiceCsv, invoicePdf } satisfies Record<
  string,
  PortalHandler
>
