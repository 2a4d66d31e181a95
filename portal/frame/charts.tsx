// Small charts, drawn on the server. A chart's numbers are also in a table, for people who can't
// see the chart. The drawing stretches to the page's width, while its text, which is HTML, keeps
// its size.
import type { ComponentChildren } from 'preact'
import { Table } from '#http/html/parts.tsx'

/** The meaning of a chart color, which the legend and the table put in words. */
type ChartTone = 'good' | 'bad' | 'waiting' | 'plain' | 'second'

export type ChartSeries = {
  readonly name: string
  readonly tone: ChartTone
  /** One value for each start; null if nothing was measured. */
  readonly values: readonly (number | null)[]
}

type ChartProps = {
  readonly caption: string
  /** The unit of the numbers, such as requests or ms. */
  readonly unit: string
  readonly span: 'hour' | 'day' | 'week' | 'month' | 'medication'
  /** The start of each interval, in order, or a medication's name. */
  readonly starts: readonly string[]
  readonly series: readonly ChartSeries[]
  /** Shown instead of a drawing with no marks. */
  readonly empty: ComponentChildren
}

const height = 100
const step = 10
const labelsMax = 6

const formats = {
  hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { month: 'short', day: 'numeric' },
  week: { month: 'short', day: 'numeric' },
  month: { month: 'short', year: 'numeric' },
} as const

const labelOf = (span: ChartProps['span'], start: string) =>
  span === 'medication'
    ? start
    : new Date(start).toLocaleString('en-US', { ...formats[span], timeZone: 'UTC' })

const numberText = (value: number) => value.toLocaleString('en-US')

/** A script shows hours in the reader's time zone; days and months are UTC. */
const Start = ({ span, at }: { span: ChartProps['span']; at: string }) => {
  const label = labelOf(span, at)
  if (span !== 'hour') return <>{label}</>
  const day = labelOf('day', at)
  return (
    <time datetime={at} data-format="hour" title={`${day}, ${label} UTC`}>
      {label}
    </time>
  )
}

/** The smallest round number that isn't below the value: 1, 2 or 5 times a power of ten. */
export function roundedUp(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find(factor => factor * power >= value) ?? 10) * power
}

/** Counts by outcome over time, stacked in the order of the series from the bottom. */
export function StackedBars(props: ChartProps) {
  const { starts, series, span, unit } = props
  const sums = starts.map((_, at) => sum(series.map(({ values }) => values[at] ?? 0)))
  const top = roundedUp(Math.max(0, ...sums))
  return (
    <Chart {...props} top={top} isEmpty={sum(sums) === 0} isLines={false}>
      {starts.map((start, at) => (
        <g key={start} class="bucket">
          <title>{titleOf(span, start, series, at, unit)}</title>
          <rect class="hit" x={at * step} y={0} width={step} height={height} />
          {segmentsOf(series, at, height / top).map(({ tone, y, size }) => (
            <rect
              key={tone}
              class={tone}
              x={at * step + 1}
              y={round(y)}
              width={step - 2}
              height={round(size)}
            />
          ))}
        </g>
      ))}
    </Chart>
  )
}

/** Measurements over time. The line breaks where nothing was measured. */
export function Lines(props: ChartProps) {
  const { starts, series, span, unit } = props
  const known = series.flatMap(({ values }) => values.filter(value => value !== null))
  const top = roundedUp(Math.max(0, ...known))
  return (
    <Chart {...props} top={top} isEmpty={known.length === 0} isLines={true}>
      {starts.map((start, at) => (
        <g key={start} class="bucket">
          <title>{titleOf(span, start, series, at, unit)}</title>
          <rect class="hit" x={at * step} y={0} width={step} height={height} />
        </g>
      ))}
      {series.map(({ name, tone, values }) => (
        <g key={name}>
          <path class={`line ${tone}`} d={lineThrough(values, height / top)} />
          <Dots tone={tone} path={dotsOf(values, height / top)} />
        </g>
      ))}
    </Chart>
  )
}

const Dots = ({ tone, path }: { tone: string; path: string }) =>
  path === '' ? null : <path class={`dot ${tone}`} d={path} />

type Drawing = ChartProps & {
  readonly top: number
  readonly isEmpty: boolean
  readonly isLines: boolean
  readonly children: ComponentChildren
}

function Chart(props: Drawing) {
  const { caption, unit, starts, series, isLines } = props
  return (
    <figure class="chart">
      <figcaption>
        {caption} <span class="quiet">{unit}</span>
      </figcaption>
      {props.isEmpty ? (
        <p class="chart-empty">{props.empty}</p>
      ) : (
        <>
          <Legend series={series} isLines={isLines} />
          <div class="plot">
            <Scale top={props.top} />
            <svg
              viewBox={`0 0 ${starts.length * step} ${height}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${caption}, ${unit}. The table below lists the numbers.`}
            >
              {[0, height / 2, height].map(y => (
                <line key={y} class="axis" x1={0} x2={starts.length * step} y1={y} y2={y} />
              ))}
              {props.children}
            </svg>
            <StartLabels {...props} />
          </div>
          <Numbers {...props} />
        </>
      )}
    </figure>
  )
}

const Legend = ({ series, isLines }: Pick<Drawing, 'series' | 'isLines'>) => (
  <ul class="legend">
    {series.map(({ name, tone }) => (
      <li key={name}>
        <span class={`swatch ${tone}${isLines ? ' line' : ''}`} aria-hidden="true" />
        {name}
      </li>
    ))}
  </ul>
)

const Scale = ({ top }: { top: number }) => (
  <div class="scale" aria-hidden="true">
    <span>{numberText(top)}</span>
    {/* Half of an odd scale isn't a whole count. */}
    <span>{top % 2 === 0 ? numberText(top / 2) : ''}</span>
    <span>0</span>
  </div>
)

function StartLabels({ starts, span }: Pick<ChartProps, 'starts' | 'span'>) {
  const every = span === 'medication' ? 1 : Math.ceil(starts.length / labelsMax)
  // A phone has room for only every second long label.
  const isLong = span !== 'day'
  const isName = span === 'medication'
  const isShown = (at: number) => at % every === 0 && starts.length - at >= every / 2
  return (
    <div class="starts" aria-hidden="true">
      {starts.map((at, index) => (
        <span
          key={at}
          class={isName ? 'name' : isLong && (index / every) % 2 === 1 ? 'if-wide' : undefined}
        >
          {isShown(index) && <Start span={span} at={at} />}
        </span>
      ))}
    </div>
  )
}

const spanNames = {
  hour: 'Hour',
  day: 'Day (UTC)',
  week: 'Week of (UTC)',
  month: 'Month (UTC)',
  medication: 'Medication',
} as const

const Numbers = ({ caption, unit, span, starts, series }: ChartProps) => (
  <details>
    <summary>Numbers</summary>
    <Table
      caption={`${caption}, ${unit}`}
      head={[spanNames[span], ...series.map(({ name }) => name)]}
      rows={starts.map((start, at) => [
        <Start key="start" span={span} at={start} />,
        ...series.map(({ values }) => textOf(values[at])),
      ])}
    />
  </details>
)

const textOf = (value: number | null | undefined) =>
  value === null || value === undefined ? 'none' : numberText(value)

function titleOf(
  span: ChartProps['span'],
  start: string,
  series: readonly ChartSeries[],
  at: number,
  unit: string,
): string {
  const when = span === 'hour' ? `${labelOf('day', start)}, ${labelOf('hour', start)} UTC` : null
  const numbers = series.map(({ name, values }) => `${name}: ${textOf(values[at])}`)
  return `${when ?? labelOf(span, start)} (${unit})\n${numbers.join('\n')}`
}

/** Nonzero values are at least one unit high, so one failed request among thousands is visible. */
function segmentsOf(series: readonly ChartSeries[], at: number, scale: number) {
  let y = height
  return series.flatMap(({ tone, values }) => {
    const value = values[at] ?? 0
    if (value === 0) return []
    const size = Math.max(1, value * scale)
    y -= size
    return [{ tone, y, size }]
  })
}

function lineThrough(values: readonly (number | null)[], scale: number): string {
  return values
    .map((value, at) => {
      if (value === null) return ''
      const place = placeOf(at, value, scale)
      return (values[at - 1] ?? null) === null ? `M${place}` : `L${place}`
    })
    .join('')
}

/** A value without neighbors is a dot instead of a line, drawn as a zero-length line with a round
 *  cap. */
function dotsOf(values: readonly (number | null)[], scale: number): string {
  return values
    .map((value, at) => {
      const neighbors = [values[at - 1] ?? null, values[at + 1] ?? null]
      if (value === null || neighbors.some(one => one !== null)) return ''
      const place = placeOf(at, value, scale)
      return `M${place}L${place}`
    })
    .join('')
}

const placeOf = (at: number, value: number, scale: number) =>
  `${at * step + step / 2} ${round(height - value * scale)}`

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const round = (value: number) => Math.round(value * 100) / 100
