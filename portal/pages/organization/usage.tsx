// Charges by month and kind, and their invoices.
import type { ComponentChildren } from 'preact'
import type { Problem } from '#contract/problems.ts'
import { type GrantRow, listGrants } from '#auth/grants/grants.ts'
import type { ApiResult, MemberCall, PortalHandler } from '../../context.ts'
import { chosenClinic } from '../../for-clinic.ts'
import { StackedBars } from '../../frame/charts.tsx'
import { ClinicForm } from '../../frame/clinic-choice.tsx'
import { monthText } from '#http/html/dates.ts'
import { majorUnits, moneyText } from '#http/html/money.ts'
import { Badge, Empty, Heading, Pager, Table, Time } from '#http/html/parts.tsx'
import { statusText } from '#http/html/status-text.ts'
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
  const after = call.query.get('after') ?? undefined
  const query = { starting_after: after, limit: '25' }
  const invoices = await call.api('listInvoices', { query })
  if (invoices.problem !== null) return withoutCharges(call, invoices.problem, grants)
  const hasInvoices = invoices.value.data.length > 0 || after !== undefined
  if (clinics.length === 0) {
    return withoutClinics(call, hasInvoices && <Invoices call={call} {...invoices.value} />)
  }
  const organizations = clinics.map(one => ({ id: one.organization, name: one.organization_name }))
  const chosen = organizations.find(({ id }) => id === chosenClinic(call)) ?? organizations[0]
  const organization = chosen?.id ?? null
  const charges = await call.api('countCharges', { organization })
  const isHidden = charges.problem?.code === 'insufficient_scope'
  if (charges.problem !== null && !isHidden) return withoutCharges(call, charges.problem, grants)
  const months = charges.problem === null ? charges.value.months : []
  const charged = months.filter(({ kinds }) => kinds.length > 0).toReversed()
  return {
    title,
    content: (
      <>
        <Heading title={title} lead="Live charges by month (UTC)." />
        {organizations.length > 1 && <ClinicForm {...{ call, row: 'usage', organizations }} />}
        {isHidden && (
          <p class="quiet">
            This clinic didn’t grant you access to charges. Your invoices include them.
          </p>
        )}
        {!isHidden && charged.length === 0 && !hasInvoices ? (
          <NoCharges />
        ) : (
          <>
            {!isHidden && <Charges months={months} />}
            {charged.length > 0 && <ChargeTable charged={charged} />}
            <Invoices call={call} {...invoices.value} />
          </>
        )}
      </>
    ),
  }
}

/** `charged` lists months with charges, newest first. */
const ChargeTable = ({ charged }: { charged: readonly Month[] }) => (
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
)

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
        <p class="actions">
          <a class="button second" href={call.pathOf('usage', { mode: 'live' })}>
            Live usage and invoices
          </a>
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
  return wasLive ? refused(call, title, problem) : notLive(call)
}

/** Invoices stay when the last clinic revokes its access. */
const withoutClinics = (call: MemberCall, invoices: ComponentChildren) => ({
  title,
  content: (
    <>
      <Heading title={title} />
      <Empty title="No clinics right now">
        <p>
          Charges by month appear here while you have access to a clinic. Past invoices stay
          available.
        </p>
        <a class="button second" href={call.pathOf('organizations')}>
          Clinics
        </a>
      </Empty>
      {invoices}
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
    <p>Charges start with your first completed live visit.</p>
    {children}
  </Empty>
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
  <Badge tone={tones[of]}>{statusText(of)}</Badge>
)

type InvoicesProps = {
  readonly call: MemberCall
  readonly data: readonly Invoice[]
  readonly has_more: boolean
}

/** Each invoice covers every clinic. */
const Invoices = ({ call, data, has_more: hasMore }: InvoicesProps) => (
  <section>
    <h2>Invoices</h2>
    {data.length === 0 ? (
      <p class="quiet">No invoices yet.</p>
    ) : (
      <Table
        caption="Invoices"
        head={['Number', 'Status', 'Period', 'Total', 'Due', 'Issued']}
        rows={data.map(invoice => [
          <a href={call.pathOf('invoice', { id: invoice.id })}>{invoice.number}</a>,
          <InvoiceStatus of={invoice.status} />,
          monthText(invoice.period_start),
          moneyText(invoice.total, invoice.currency),
          moneyText(invoice.amount_due, invoice.currency),
          <Time at={invoice.issued_at} />,
        ])}
      />
    )}
    <Pager
      newer={call.query.has('after') ? call.pathOf('usage') : null}
      newerText="Latest"
      older={hasMore ? call.pathOf('usage', {}, { after: data.at(-1)?.id }) : null}
    />
  </section>
)

export const usageHandlers = { usage } satisfies Record<string, PortalHandler>
