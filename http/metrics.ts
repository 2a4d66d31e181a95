// How the house is, in the text form of Prometheus, on a port of its own for the operator's
// network: numbers alone, no names of anybody. What happens is counted as it is logged, so that
// no room knows that it is measured; what waits is asked of the database when somebody looks.
import { families, type Family, type FamilyOf } from './metric-families.ts'

type Labels = Readonly<Record<string, string>>
export type Sample = { name: FamilyOf<'gauge'>; labels: Labels; value: number }
type Look = () => Sample[] | Promise<Sample[]>

export type Metrics = {
  count(name: FamilyOf<'counter'>, labels?: Labels, by?: number): void
  /** Counts one each time that it is called, for what happens thousands of times a second. */
  counter(name: FamilyOf<'counter'>, labels: Labels): () => void
  /** One more value of a histogram, in seconds. */
  observe(name: FamilyOf<'histogram'>, labels: Labels, seconds: number): void
  /** Asked each time that somebody reads. */
  look(look: Look): void
  text(): Promise<string>
}

/** Seconds: what a bucket counts is no longer than its bound, and `+Inf` counts everything. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 3600] as const

type Count = { name: FamilyOf<'counter'>; labels: Labels; value: number }
type Histogram = { labels: Labels; counts: number[]; sum: number; count: number }
type Lines = Map<Family, string[]>

export function openMetrics(): Metrics {
  const counted = new Map<string, Count>()
  const observed = new Map<string, Histogram & { name: FamilyOf<'histogram'> }>()
  const looks: Look[] = []
  const countOf = (name: FamilyOf<'counter'>, labels: Labels): Count => {
    const key = seriesOf(name, labels)
    const known = counted.get(key) ?? { name, labels, value: 0 }
    counted.set(key, known)
    return known
  }
  return {
    count(name, labels = {}, by = 1) {
      countOf(name, labels).value += by
    },
    counter(name, labels) {
      let sample: Count | undefined
      return () => {
        sample ??= countOf(name, labels)
        sample.value++
      }
    },
    observe(name, labels, seconds) {
      const key = seriesOf(name, labels)
      const known = observed.get(key) ?? {
        name,
        labels,
        counts: bounds.map(() => 0),
        sum: 0,
        count: 0,
      }
      observed.set(key, known)
      const place = bounds.findIndex(bound => seconds <= bound)
      if (place >= 0) known.counts[place] = (known.counts[place] ?? 0) + 1
      known.sum += seconds
      known.count += 1
    },
    look: look => void looks.push(look),
    async text() {
      const seen = (await Promise.all(looks.map(look => look()))).flat()
      const lines: Lines = new Map()
      const add = (name: Family, more: string[]) =>
        void lines.set(name, [...(lines.get(name) ?? []), ...more])
      for (const { name, labels, value } of [...counted.values(), ...seen]) {
        add(name, [`${seriesOf(name, labels)} ${value}`])
      }
      for (const each of observed.values()) add(each.name, bucketsOf(each.name, each))
      const all = [...lines].flatMap(([name, each]) => [...headOf(name), ...each])
      return all.map(line => `${line}\n`).join('')
    },
  }
}

const headOf = (name: Family): string[] => {
  const { kind, help } = families[name]
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`]
}

function seriesOf(name: string, labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}=${JSON.stringify(text)}`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''}`
}

function bucketsOf(name: string, { labels, counts, sum, count }: Histogram): string[] {
  let below = 0
  const bucket = (le: string, value: number) =>
    `${seriesOf(`${name}_bucket`, { ...labels, le })} ${value}`
  return [
    ...bounds.map((bound, at) => bucket(`${bound}`, (below += counts[at] ?? 0))),
    bucket('+Inf', count),
    `${seriesOf(`${name}_sum`, labels)} ${sum}`,
    `${seriesOf(`${name}_count`, labels)} ${count}`,
  ]
}

/** Opens the port; without one there is nothing to close. */
export function serveMetrics(metrics: Metrics, hostname: string, port: number | undefined) {
  if (port === undefined) return undefined
  return Bun.serve({
    hostname,
    port,
    routes: {
      '/metrics': async () =>
        new Response(await metrics.text(), {
          headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        }),
    },
    fetch: () => new Response(null, { status: 404 }),
    error: () => new Response(null, { status: 503 }),
  })
}
