// The charts and recent errors of the home page.
import type { ApiResult, MemberCall } from '../../context.ts'
import { StackedBars } from '../../frame/charts.tsx'
import { Address, Ago, Table } from '#http/html/parts.tsx'
import { StatusBadge } from '../requests/status.tsx'

type ValueOf<T> = T extends { value: infer V } ? V : never
type Requests = ValueOf<ApiResult<'listNewestRequests'>>['data']

type ChartsProps = {
  readonly calls: ValueOf<ApiResult<'countRequests'>> | null
  readonly deliveries: ValueOf<ApiResult<'getDeliveryChart'>> | null
  readonly cases: ValueOf<ApiResult<'countCases'>> | null
}

/** Charts that the member's role can't read are null. */
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
    caption="Requests by status"
    unit="requests, last 24 hours"
    span="hour"
    starts={hours.map(({ start }) => start)}
    series={[
      { name: '2xx', tone: 'good', values: hours.map(({ answered }) => answered) },
      { name: '4xx', tone: 'bad', values: hours.map(({ refused }) => refused) },
      { name: '5xx', tone: 'waiting', values: hours.map(({ failed }) => failed) },
    ]}
    empty="No requests in the last 24 hours."
  />
)

const DeliveriesChart = ({ bars }: NonNullable<ChartsProps['deliveries']>) => (
  <StackedBars
    caption="Deliveries by outcome"
    unit="deliveries, last 24 hours"
    span="hour"
    starts={bars.map(({ at }) => at)}
    series={[
      { name: 'Delivered', tone: 'good', values: bars.map(({ delivered }) => delivered) },
      { name: 'Pending', tone: 'waiting', values: bars.map(({ pending }) => pending) },
      { name: 'Failed', tone: 'bad', values: bars.map(({ failed }) => failed) },
    ]}
    empty="No deliveries in the last 24 hours. Add a webhook endpoint, or run svc listen."
  />
)

const CasesChart = ({ days }: NonNullable<ChartsProps['cases']>) => (
  <StackedBars
    caption="Cases by status"
    unit="cases by filing date"
    span="day"
    starts={days.map(({ start }) => start)}
    series={[
      { name: 'Approved', tone: 'good', values: days.map(({ approved }) => approved) },
      { name: 'Open', tone: 'second', values: days.map(({ open }) => open) },
      { name: 'Waiting for an answer', tone: 'waiting', values: days.map(day => day.waiting) },
      { name: 'Declined', tone: 'bad', values: days.map(({ declined }) => declined) },
      { name: 'Canceled or withdrawn', tone: 'plain', values: days.map(({ ended }) => ended) },
    ]}
    empty="No cases in the last 14 days."
  />
)

/** The newest errors, if there are any. */
export const Errors = ({ call, errors }: { call: MemberCall; errors: Requests | null }) =>
  errors === null || errors.length === 0 ? null : (
    <section class="part">
      <h2>Recent errors</h2>
      <Table
        caption="Recent errors"
        head={['Request', 'Status', 'Time']}
        rows={errors.map(one => [
          <a key="call" href={call.pathOf('request', { id: one.id })}>
            <code>
              <Address of={`${one.method} ${one.path}`} />
            </code>
          </a>,
          <StatusBadge key="status" request={one} />,
          <Ago key="at" at={one.created_at} />,
        ])}
      />
      <p>
        <a href={call.pathOf('requests', {}, { outcome: 'error' })}>All errors</a>
      </p>
    </section>
  )
