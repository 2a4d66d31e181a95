// Charges by month and kind, and their invoices.
import type { ComponentChildren } from 'preact'
import type { Problem } from '#contract/problems.ts'
import { type GrantRow, listGrants } from '#auth/grants/grants.ts'
import type { ApiResult, MemberCall, PortalHandler } from '../../context.ts'
import { StackedBars } from '../../frame/charts.tsx'
import { monthText } from '#http/html/dates.ts'
import { majorUnits, moneyText } from '#http/html/money.ts'
import { Badge, Empty, Heading, Pager, Table, Time } from '#http/html/parts.tsx'
import { statusWord } from '../status-words.ts'
import { refused } from '../../refused.tsx'

type Success<T> = Extract<T, { problem: null }>
type Month = Success<ApiResult<'countCharges'>>['value']['months'][number]
type Invoice = Success<ApiResult<'listInvoices'>>['value']['data'][number]

const title = 'Usage and invoices'

const usage: PortalHandler = async ({ pool, site }, call) => {
  if (isSandbox(call)) return inTestMode(call, site.url)
  const of = { integration: call.member.integration, mode: call.mode }
  const grants = await pool.use(connection => listGrants(connection, of))
  const clinics = grants.filter(({ status }) => status === 'active')
  const asked = clinics.find(one => one.organization === call.query.get('organization'))
  const organization = (asked ?? clinics[0])?.organization ?? null
  const result = await call.api('countCharges', { organization })
  if (result.problem !== null) return withoutCharges(call, result.problem, grants)
  const after = call.query.get('after') ?? undefined
  const invoices = await call.api('listInvoices', {
    organization,
    query: { starting_after: after, limit: '25' },
  })
  if (invoices.problem !== null) return refused(call, title, invoices.problem)
  const { months } = result.value
  const charged = months.filter(({ kinds }) => kinds.length > 0).toReversed()
  return {
    title,
    content: (
      <>
        <Heading title={title} lead="Live charges by month (UTC)." />
        <Clinics call={call} clinics={clinics} chosen={organization} />
        {charged.length === 0 && invoices.value.data.length === 0 && after === undefined ? (
          <NoCharges />
        ) : (
          <>
            <Charges months={months} />
            {charged.length > 0 && (
              <Table
                caption="Charges by month and kind"
                head={['Month', 'Kind', 'Count', 'Amount']}
                rows={charged.flatMap(({ start, kinds }) =>
                  kinds.map(({ kind, currency, count, amount }) => [
                    monthText(start),
                    <code>{kind}</code>,
                    count,
                    moneyText(amount, currency),
                  ]),
                )}
              />
            )}
            <section>
              <h2>Invoices</h2>
              <Invoices call={call} organization={organization} {...invoices.value} />
            </section>
          </>
        )}
      </>
    ),
  }
}

const isSandbox = ({ mode }: MemberCall) => mode === 'test'

const inTestMode = (call: MemberCall, site: string) => ({
  title,
  content: (
    <>
      <Heading title={title} />
      <Empty title="Test mode is free">
        <p>
          Completed sandbox visits create <code>charge.created.v1</code> events for you to build
          against. Sandbox usage is never billed.
        </p>
        <p>
          <a href={`${site}/pricing`}>Live pricing</a>
        </p>
      </Empty>
    </>
  ),
})

/** The page if no charges can be read. There may be some if a clinic ever granted access. */
function withoutCharges(call: MemberCall, problem: Problem, grants: readonly GrantRow[]) {
  const { code } = problem
  if (code !== 'baa_required' && code !== 'organization_not_granted') {
    return refused(call, title, problem)
  }
  const wasLive = grants.some(({ status }) => status === 'active' || status === 'revoked')
  if (!wasLive) return notLive(call)
  return code === 'baa_required' ? refused(call, title, problem) : withoutClinics(call)
}

const withoutClinics = (call: MemberCall) => ({
  title,
  content: (
    <>
      <Heading title={title} />
      <Empty title="No clinic grants you access now">
        <p>
          Charges and invoices appear here while a clinic grants you access. To get an invoice,
          reply to the email about it.
        </p>
        <a class="button" href={call.pathOf('organizations')}>
          Clinics
        </a>
      </Empty>
    </>
  ),
})

const notLive = (call: MemberCall) => ({
  title,
  content: (
    <>
      <Heading title={title} />
      <NoCharges>
        <a class="button" href={call.pathOf('goLive')}>
          Go live
        </a>
      </NoCharges>
    </>
  ),
})

const NoCharges = ({ children }: { children?: ComponentChildren }) => (
  <Empty title="No charges yet">
    <p>Charges start with your first live visit.</p>
    {children}
  </Empty>
)

type ClinicsProps = {
  readonly call: MemberCall
  readonly clinics: readonly GrantRow[]
  readonly chosen: string | null
}

/** Charges are per clinic. */
const Clinics = ({ call, clinics, chosen }: ClinicsProps) =>
  clinics.length < 2 ? null : (
    <nav class="actions" aria-label="Clinics">
      {clinics.map(({ organization: id, organization_name: name }) => (
        <a
          key={id}
          class="button second small"
          href={call.pathOf('usage', {}, { organization: id })}
          aria-current={id === chosen ? 'true' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  )

function Charges({ months }: { months: readonly Month[] }) {
  const all = months.flatMap(({ kinds }) => kinds)
  const currency = all[0]?.currency ?? 'USD'
  const names = [...new Set(all.map(({ kind }) => kind))]
  const amountOf = (month: Month, kind: string) => {
    const found = month.kinds.find(one => one.kind === kind && one.currency === currency)
    // A month with more reversals than charges has no bar, but the table shows its amount.
    return Math.max(0, majorUnits(found?.amount ?? 0, currency))
  }
  return (
    <StackedBars
      caption="Charges by month"
      unit={currency}
      span="month"
      starts={months.map(({ start }) => start)}
      series={names.map((name, at) => ({
        name,
        tone: at === 0 ? 'good' : 'second',
        values: months.map(month => amountOf(month, name)),
      }))}
      empty="No charges in the last 12 months."
    />
  )
}

const tones = { open: 'waiting', paid: 'good', void: 'plain', uncollectible: 'bad' } as const

export const InvoiceStatus = ({ of }: { of: Invoice['status'] }) => (
  <Badge tone={tones[of]}>{statusWord(of)}</Badge>
)

type InvoicesProps = {
  readonly call: MemberCall
  readonly organization: string | null
  readonly data: readonly Invoice[]
  readonly has_more: boolean
}

function Invoices({ call, organization, data, has_more: hasMore }: InvoicesProps) {
  if (data.length === 0) return <p class="quiet">No invoices yet.</p>
  const clinic = organization ?? undefined
  return (
    <>
      <Table
        caption="Invoices"
        head={['Number', 'Status', 'Period', 'Total', 'Due', 'Issued']}
        rows={data.map(invoice => [
          <a href={call.pathOf('invoice', { id: invoice.id }, { organization: clinic })}>
            {invoice.number}
          </a>,
          <InvoiceStatus of={invoice.status} />,
          monthText(invoice.period_start),
          moneyText(invoice.total, invoice.currency),
          moneyText(invoice.amount_due, invoice.currency),
          <Time at={invoice.issued_at} />,
        ])}
      />
      <Pager
        newer={null}
        older={
          hasMore
            ? call.pathOf('usage', {}, { organization: clinic, after: data.at(-1)?.id })
            : null
        }
      />
    </>
  )
}

export const usageHandlers = { usage } satisfies Record<string, PortalHandler>
