// A clinic's metrics as charts, each also as CSV.
import { limits } from '#contract/limits.ts'
import { type MetricName, metricNames, metrics } from '#contract/preview/metrics.ts'
import { csvOf } from '#http/html/csv.ts'
import { Heading } from '#http/html/parts.tsx'
import type { ApiResult, MemberCall, PortalHandler } from '../../context.ts'
import { callForClinic } from '../../for-clinic.ts'
import { type ChartSeries, Lines, StackedBars } from '../../frame/charts.tsx'
import { ClinicForm } from '../../frame/clinic-choice.tsx'
import { missing, refused } from '../../refused.tsx'

type Metric = Extract<ApiResult<'getMetrics'>, { problem: null }>['value']

const title = 'Metrics'
const period = `in the last ${limits.metricWeeks} weeks`

const showMetrics: PortalHandler = async (_portal, call) => {
  const all = await Promise.all(metricNames.map(metric => readMetric(call, metric)))
  const shown: Metric[] = []
  for (const { found } of all) {
    if (found.problem !== null) return refused(call, title, found.problem)
    shown.push(found.value)
  }
  return {
    title,
    content: (
      <>
        <Heading title={title} lead={`Cases and orders ${period}.`} />
        <ClinicForm call={call} row="metrics" organizations={all[0]?.organizations ?? []} />
        <div class="charts">
          {shown.map(one => (
            <div key={one.metric}>
              <Chart {...one} />
              <p class="fine">
                <a href={call.pathOf('metricCsv', { metric: one.metric })}>Download CSV</a>
              </p>
            </div>
          ))}
        </div>
      </>
    ),
  }
}

const readMetric = (call: MemberCall, metric: string) =>
  callForClinic(call, 'getMetrics', { query: { metric } })

type Series = readonly [column: string, name: string, tone: ChartSeries['tone']]

const series: Readonly<Record<MetricName, readonly Series[]>> = {
  cases_by_status: [
    ['approved', 'Approved', 'good'],
    ['open', 'Open', 'second'],
    ['waiting', 'Waiting for an answer', 'waiting'],
    ['declined', 'Declined', 'bad'],
    ['ended', 'Canceled or withdrawn', 'plain'],
  ],
  decision_time: [
    ['p50', 'p50', 'second'],
    ['p90', 'p90', 'waiting'],
  ],
  approval_share: [['share', 'Approved', 'good']],
  blocked_orders: [['blocked', 'Blocked', 'bad']],
}

function Chart({ metric, rows, unit, title: caption }: Metric) {
  const isByMedication = metric === 'approval_share'
  const Drawing = metric === 'decision_time' ? Lines : StackedBars
  return (
    <Drawing
      caption={caption}
      unit={unit}
      span={isByMedication ? 'medication' : 'week'}
      starts={rows.map(row => String((isByMedication && row['name']) || Object.values(row)[0]))}
      series={series[metric].map(([column, name, tone]) => ({
        name,
        tone,
        values: rows.map(row => (row[column] === null ? null : Number(row[column]))),
      }))}
      empty={empty[metric]}
    />
  )
}

const empty: Readonly<Record<MetricName, string>> = {
  cases_by_status: `No cases ${period}.`,
  decision_time: `No decisions ${period}.`,
  approval_share: `No decisions ${period}.`,
  blocked_orders: 'No orders are blocked.',
}

const metricCsv: PortalHandler = async (_portal, call) => {
  const metric = call.names['metric'] ?? ''
  if (!Object.hasOwn(metrics, metric))
    return missing('Metric not found', call.pathOf('metrics'), title)
  const { found } = await readMetric(call, metric)
  if (found.problem !== null) return refused(call, title, found.problem)
  const { columns, rows } = found.value
  const cells = rows.map(row => columns.map(column => row[column] ?? null))
  return {
    file: {
      name: `${metric}.csv`,
      type: 'text/csv; charset=utf-8',
      content: csvOf(columns, cells),
    },
  }
}

export const metricHandlers = { metrics: showMetrics, metricCsv } satisfies Record<
  string,
  PortalHandler
>
