// Charts of deliveries by outcome and of response times.
import type { ApiResult, MemberCall } from '../../context.ts'
import { type ChartSeries, Lines, StackedBars } from '../../frame/charts.tsx'
import { callForIntegration } from '../../for-integration.ts'
import { problemText } from '../../refused.tsx'

type Bars = Extract<ApiResult<'getDeliveryChart'>, { problem: null }>['value']['bars']

const spanOf = (query: URLSearchParams) => (query.get('span') === 'week' ? 'week' : 'day')

/** Charts for one endpoint, or for all of them. */
export async function deliveryCharts(call: MemberCall, page: string, endpoint?: string) {
  const span = spanOf(call.query)
  const chart = await callForIntegration(call, 'getDeliveryChart', {
    query: { span, webhook_endpoint: endpoint },
  })
  if (chart.problem) return <p class="note">{problemText(chart.problem)}</p>
  return (
    <section id="charts" class="part">
      <div class="part-head">
        <h2>{span === 'day' ? 'Last 24 hours' : 'Last 7 days'}</h2>
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
        caption="Deliveries by outcome"
        unit="deliveries"
        span={span}
        starts={starts}
        series={[
          series('Delivered', 'good', 'delivered'),
          series('Pending', 'waiting', 'pending'),
          series('Failed', 'bad', 'failed'),
        ]}
        empty="No deliveries in this period."
      />
      <Lines
        caption="Response time"
        unit="ms"
        span={span}
        starts={starts}
        series={[series('p50', 'second', 'p50_ms'), series('p95', 'waiting', 'p95_ms')]}
        empty="No responses in this period."
      />
    </div>
  )
}
