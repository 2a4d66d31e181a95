// Metrics: predefined counts of an integration's cases and orders in one clinic. Each metric's SQL
// statement is in clinical/metrics/.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { definePreview } from '../operation.ts'
import { closed, named, oneOf } from '../shapes.ts'
import { caseGroups } from '../states.ts'

type MetricRow = {
  readonly title: string
  readonly unit: string
  /** The columns. The first identifies the row: a week or a medication. */
  readonly columns: readonly [string, ...string[]]
  readonly description: string
}

const groups = Object.keys(caseGroups) as (keyof typeof caseGroups)[]

/** Every metric, in page order. */
export const metrics = {
  cases_by_status: {
    title: 'Cases by status',
    unit: 'cases by filing week',
    columns: ['week', ...groups],
    description: 'cases filed in each week, by their status now',
  },
  decision_time: {
    title: 'Time to decision',
    unit: 'hours',
    columns: ['week', 'decided', 'p50', 'p90'],
    description: 'cases decided in each week, and the hours from filing to decision',
  },
  approval_share: {
    title: 'Approval share',
    unit: '% of decided cases by medication',
    columns: ['medication', 'name', 'decided', 'approved', 'share'],
    description:
      `the latest ${limits.metricDecisionsMax.toLocaleString('en-US')} decisions, and how many ` +
      'approved the case, by requested medication',
  },
  blocked_orders: {
    title: 'Blocked orders',
    unit: 'orders by week',
    columns: ['week', 'blocked'],
    description: 'orders that are blocked now, by the week when they were blocked',
  },
} as const satisfies Record<string, MetricRow>

export type MetricName = keyof typeof metrics
export const metricNames = Object.keys(metrics) as MetricName[]

export const Metric = named('Metric', 'Saved counts of your cases or orders.', {
  metric: oneOf(metricNames),
  title: Type.String(),
  unit: Type.String(),
  columns: Type.Array(Type.String(), { description: 'The fields of each row, in order.' }),
  rows: Type.Array(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()])),
    { description: 'One row for each week, oldest first, or for each medication.' },
  ),
})

export const metricOperations = definePreview({
  getMetrics: {
    method: 'GET',
    path: '/preview/metrics',
    tag: 'Metrics',
    scope: 'cases:read',
    mode: 'both',
    tool: false,
    summary: 'Read a metric.',
    description:
      `Covers the last ${limits.metricWeeks} weeks, which start on Monday, UTC. ` +
      metricNames.map(name => `\`${name}\`: ${metrics[name].description}.`).join(' '),
    query: closed({ metric: oneOf(metricNames) }),
    status: 200,
    returns: Metric,
  },
})
