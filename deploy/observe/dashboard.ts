// Prints a Grafana dashboard with the objectives and a panel for every exported metric:
// `node deploy/run.mjs deploy/observe/dashboard.ts > dashboard.json`.
import { families } from '#http/observe/metric-families.ts'

type Target = { expr: string; legendFormat: string }
type Panel = { type: string; title: string; description: string; unit: string; targets: Target[] }

const stat = (title: string, expr: string, unit = 'none'): Panel => {
  return { type: 'stat', title, description: '', unit, targets: [{ expr, legendFormat: '' }] }
}

const objectives: readonly Panel[] = [
  stat('Gateways up', 'sum(up{job="telehealth-gateway"})'),
  stat('Workers up', 'sum(up{job="telehealth-worker"})'),
  stat('Failed requests, last 3 days', 'telehealth:request_failures:ratio_rate3d', 'percentunit'),
  stat(
    'Late first deliveries, last 3 days',
    'telehealth:late_deliveries:ratio_rate3d',
    'percentunit',
  ),
  {
    type: 'timeseries',
    title: 'Error budget burn rate (1 = allowed rate)',
    description: '',
    unit: 'none',
    targets: [
      { expr: 'telehealth:request_failures:ratio_rate1h / 0.001', legendFormat: 'requests' },
      { expr: 'telehealth:late_deliveries:ratio_rate1h / 0.01', legendFormat: 'deliveries' },
    ],
  },
]

const units = { seconds: 's', bytes: 'bytes', ratio: 'percentunit', total: 'ops' }

type Described = { kind: string; labels: readonly string[]; help: string }

function panelOf([name, { kind, labels, help }]: [string, Described]): Panel {
  // Every target has a `job` label, so Prometheus renames the metric's label.
  const own = labels.map(label => (label === 'job' ? 'exported_job' : label))
  const by = own.length > 0 ? own : ['instance']
  const legend = by.map(label => `{{${label}}}`).join(' ')
  const quantile = (of: number): Target => ({
    expr: `histogram_quantile(${of}, sum by (le) (rate(${name}_bucket[$__rate_interval])))`,
    legendFormat: `p${of * 100}`,
  })
  const [, words = '', unit = ''] =
    /^telehealth_(\w+?)(?:_(seconds|bytes|ratio|total))?$/.exec(name) ?? []
  const sum = kind === 'counter' ? `sum by (${by}) (rate(${name}[$__rate_interval]))` : ''
  return {
    type: 'timeseries',
    title: words.replaceAll('_', ' ').replace(/^./, first => first.toUpperCase()),
    description: help,
    unit: units[unit as keyof typeof units] ?? 'none',
    targets:
      kind === 'histogram'
        ? [quantile(0.5), quantile(0.99)]
        : [{ expr: sum || `max by (${by}) (${name})`, legendFormat: legend }],
  }
}

const source = { type: 'prometheus', uid: '${source}' }

export const panels = [...objectives, ...Object.entries(families).map(panelOf)].map(
  ({ unit, targets, ...panel }, at) => ({
    id: at + 1,
    ...panel,
    datasource: source,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: targets.map((target, index) => ({ ...target, refId: 'AB'[index] })),
    gridPos: { h: 8, w: 8, x: (at % 3) * 8, y: Math.floor(at / 3) * 8 },
  }),
)

if (import.meta.main) {
  const dashboard = {
    uid: 'telehealth',
    title: 'Telehealth platform',
    tags: ['telehealth'],
    schemaVersion: 39,
    editable: true,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }],
    },
    panels,
  }
  console.log(JSON.stringify(dashboard, null, 2))
}
