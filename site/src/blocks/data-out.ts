import { metricNames, metrics } from '#contract/preview/metrics.ts'
import { exportTableNames, exportTables } from '#contract/preview/table-exports.ts'
import { markdownTable } from '../figures/figures.ts'

// Facts about table exports and metrics, from the contract, so the guide matches the server.

const code = (text: string) => `\`${text}\``

const tables = () =>
  markdownTable(
    ['file', 'left out without identity'],
    exportTableNames.map(name => [
      code(name),
      exportTables[name].map(code).join(', ') || 'nothing',
    ]),
  )

const metricTable = () =>
  markdownTable(
    ['metric', 'counts', 'columns'],
    metricNames.map(name => [
      code(name),
      metrics[name].description,
      metrics[name].columns.map(code).join(', '),
    ]),
  )

export const dataOutBlocks: Readonly<Record<string, () => string>> = {
  'export-tables': tables,
  metrics: metricTable,
}
