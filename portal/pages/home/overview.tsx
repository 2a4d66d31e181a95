// The charts of the home page, and what was refused lately.
import type { ApiResult, MemberCall } from '../../context.ts'
import { StackedBars } from '../../frame/charts.tsx'
import { Table, Time } from '#http/html/parts.tsx'
import { StatusBadge } from '../requests/status.tsx'

type ValueOf<T> = T extends { value: infer V } ? V : never
type Requests = ValueOf<ApiResult<'listNewestRequests'>>['data']

type ChartsProps = {
  readonly calls: ValueOf<ApiResult<'countRequests'>> | null
  readonly deliveries: ValueOf<ApiResult<'getDeliveryChart'>> | null
  readonly cases: ValueOf<ApiResult<'countCases'>> | null
}

/** Null: the role of the member may not read it. */
export const Charts = ({ calls, deliveries, cases }: ChartsProps) =>
  calls === null && deliveries === null && cases === null ? null : (
    <section class="part">
      <h2 class="hidden">Charts</h2>
      <div class="charts">
        {calls !== null && <CallsChart {...calls} />}
        {deliveries !== null && <DeliveriesChart {...deliveries} />}
        {cases !== null && <CasesChart {...cases} />}
      </div>
    </section>
  )

const CallsChart = ({ hours }: NonNullable<ChartsProps['calls']>) => (
  <StackedBars
    caption="Calls by status"
    unit="calls, last 24 hours"
    span="hour"
    starts={hours.map(({ start }) => start)}
    series={[
      { name: '2xx', tone: 'good', values: hours.map(({ answered }) => answered) },
      { name: '4xx', tone: 'bad', values: hours.map(({ refused }) => refused) },
      { name: '5xx', tone: 'waiting', values: hours.map(({ failed }) => failed) },
    ]}
    empty="No call in the last 24 hours. A call shows here about a second after its response."
  />
)

const DeliveriesChart = ({ bars }: NonNullable<ChartsProps['deliveries']>) => (
  <StackedBars
    caption="Deliveries by outcome"
    unit="deliveries, last 24 hours"
    span="hour"
    starts={bars.map(({ at }) => at)}
    series={[
      { name: 'delivered', tone: 'good', values: bars.map(({ delivered }) => delivered) },
      { name: 'pending', tone: 'waiting', values: bars.map(({ pending }) => pending) },
      { name: 'failed', tone: 'bad', values: bars.map(({ failed }) => failed) },
    ]}
    empty="No delivery in the last 24 hours. Add a webhook endpoint, and every event is delivered to it."
  />
)

const CasesChart = ({ days }: NonNullable<ChartsProps['cases']>) => (
  <StackedBars
    caption="Cases by state"
    unit="cases by the day they were filed"
    span="day"
    starts={days.map(({ start }) => start)}
    series={[
      { name: 'approved', tone: 'good', values: days.map(({ approved }) => approved) },
      { name: 'open', tone: 'second', values: days.map(({ open }) => open) },
      { name: 'waiting for an answer', tone: 'waiting', values: days.map(day => day.waiting) },
      { name: 'declined', tone: 'bad', values: days.map(({ declined }) => declined) },
      { name: 'canceled or withdrawn', tone: 'plain', values: days.map(({ ended }) => ended) },
    ]}
    empty="No case was filed in the last 14 days."
  />
)

/** The newest refusals, where there are any. */
export const Errors = ({ call, errors }: { call: MemberCall; errors: Requests | null }) =>
  errors === null || errors.length === 0 ? null : (
    <section class="part">
      <h2>Last errors</h2>
      <Table
        caption="Last errors"
        head={['Call', 'Status', 'When']}
        rows={errors.map(one => [
          <a key="call" href={call.pathOf('request', { id: one.id })}>
            <code>{`${one.method} ${one.path}`}</code>
          </a>,
          <StatusBadge key="status" request={one} />,
          <Time key="at" at={one.created_at} />,
        ])}
      />
      <p>
        <a href={call.pathOf('requests', {}, { outcome: 'error' })}>All errors</a>
      </p>
    </section>
  )
