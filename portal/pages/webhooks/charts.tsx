// Deliveries over time, by outcome and by how fast receivers answered.
import type { ApiResult, MemberCall } from '../../context.ts'
import { type ChartSeries, Lines, StackedBars } from '../../frame/charts.tsx'
import { callForIntegration } from '../../for-integration.ts'
import { problemText } from '../../refused.tsx'

type Bars = Extract<ApiResult<'getDeliveryChart'>, { problem: null }>['value']['bars']

const spanOf = (query: URLSearchParams) => (query.get('span') === 'week' ? 'week' : 'day')

/** Of one endpoint, or of all. */
export async function deliveryCharts(call: MemberCall, page: string, endpoint?: string) {
  const span = spanOf(call.query)
  const chart = await callForIntegration(call, 'getDeliveryChart', {
    query: { span, webhook_endpoint: endpoint },
  })
  if (chart.problem) return <p class="note">{problemText(chart.problem)}</p>
  return (
    <section id="charts" class="part">
      <div class="part-head">
        <h2>{span === 'day' ? 'The last 24 hours' : 'The last seven days'}</h2>
        <nav class="tabs" aria-label="Span">
          {(['day', 'week'] as const).map(one => (
            <a
              key={one}
              href={`${page}?span=${one}`}
              aria-current={one === span ? 'true' : undefined}
              hx-get={`${page}?span=${one}`}
              hx-select="#charts"
              hx-target="#charts"
              hx-swap="outerHTML"
              hx-push-url="true"
            >
              {one === 'day' ? '24 hours' : '7 days'}
            </a>
          ))}
        </nav>
      </div>
      <DeliveryCharts bars={chart.value.bars} span={span === 'day' ? 'hour' : 'day'} />
    </section>
  )
}

function DeliveryCharts({ bars, span }: { bars: Bars; span: 'hour' | 'day' }) {
  const starts = bars.map(({ at }) => at)
  const series = (
    name: string,
    tone: ChartSeries['tone'],
    of: 'delivered' | 'pending' | 'failed' | 'p50_ms' | 'p95_ms',
  ) => ({ name, tone, values: bars.map(bar => bar[of]) })
  return (
    <div class="charts">
      <StackedBars
        caption="By outcome"
        unit="deliveries"
        span={span}
        starts={starts}
        series={[
          series('delivered', 'good', 'delivered'),
          series('pending', 'waiting', 'pending'),
          series('failed', 'bad', 'failed'),
        ]}
        empty="No event was sent in this time."
      />
      <Lines
        caption="Time until your server answered"
        unit="ms"
        span={span}
        starts={starts}
        series={[
          series('half within', 'second', 'p50_ms'),
          series('95 % within', 'waiting', 'p95_ms'),
        ]}
        empty="No answer was received in this time."
      />
    </div>
  )
}
