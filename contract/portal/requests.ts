import { page, readers } from './row.ts'

export const requests = {
  requests: page('/requests', 'Requests', { roles: readers, group: 'Observe' }),
  request: page('/requests/{id}', 'Request', { roles: readers }),
  metrics: page('/metrics', 'Metrics', { roles: readers, group: 'Observe' }),
  metricCsv: page('/metrics/{metric}/csv', 'Metric as CSV', { roles: readers }),
  apiChanges: page('/changes', 'API changes', { roles: readers, group: 'Observe' }),
}
