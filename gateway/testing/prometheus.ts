// Parses metrics by the grammar of the Prometheus text format 0.0.4, and rejects what Prometheus
// rejects: a repeated or interrupted family, a repeated series, a header after its samples, and a
// histogram with inconsistent buckets.

export type Scraped = Map<string, { kind: string; help: string; series: Map<string, number> }>

const header = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/
const sample =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]?Inf|[+-]?\d[\d.]*(?:e[+-]?\d+)?)$/
const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/
const kinds = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped'])

/** A series name with sorted labels, so equal series have equal text. */
export function nameOf(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  return `${name}{${pairs.sort().join(',')}}`
}

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== '';) {
    const found = label.exec(rest)
    if (!found) throw new Error(`invalid label: ${rest}`)
    const [whole, name = '', value = ''] = found
    if (name in labels) throw new Error(`repeated label: ${text}`)
    labels[name] = value
    rest = rest.slice(whole.length)
  }
  return labels
}

export function scrape(text: string): Scraped {
  const all: Scraped = new Map()
  const seen = new Set<string>()
  let family = ''
  if (!text.endsWith('\n')) throw new Error('the last line does not end in a line feed')
  for (const line of text.slice(0, -1).split('\n')) {
    // "Empty lines are ignored."
    if (line === '') continue
    const [, what = '', name = '', rest = ''] = header.exec(line) ?? []
    if (what !== '') {
      if (seen.has(`${what} ${name}`)) throw new Error(`repeated: ${line}`)
      seen.add(`${what} ${name}`)
      family = name
      const known = all.get(name) ?? { kind: 'untyped', help: '', series: new Map() }
      if (known.series.size > 0) throw new Error(`a header after its samples: ${line}`)
      if (what === 'TYPE' && !kinds.has(rest)) throw new Error(`unknown type: ${line}`)
      all.set(name, what === 'HELP' ? { ...known, help: rest } : { ...known, kind: rest })
      continue
    }
    const [, of = '', labels = '', value = ''] = sample.exec(line) ?? []
    const found = all.get(family)
    const ends = found?.kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    if (!found || !ends.some(end => of === `${family}${end}`))
      throw new Error(`a sample outside its family: ${line}`)
    const key = nameOf(of, labelsIn(labels))
    if (found.series.has(key)) throw new Error(`repeated: ${line}`)
    found.series.set(key, Number(value.replace('Inf', 'Infinity')))
  }
  for (const [name, { kind, series }] of all) if (kind === 'histogram') checkBuckets(name, series)
  return all
}

/** Buckets must be cumulative, the last one must equal the count, and there must be a sum. */
function checkBuckets(name: string, series: ReadonlyMap<string, number>): void {
  const groups = new Map<string, { le: number; value: number }[]>()
  for (const [key, value] of series) {
    const [, inside = ''] = /\{(.*)\}$/.exec(key) ?? []
    const { le, ...labels } = labelsIn(inside)
    if (le === undefined) continue
    const group = JSON.stringify(labels)
    const bound = Number(le.replace('Inf', 'Infinity'))
    groups.set(group, [...(groups.get(group) ?? []), { le: bound, value }])
  }
  if (groups.size === 0) throw new Error(`${name} has no buckets`)
  for (const [group, buckets] of groups) {
    const labels: Record<string, string> = JSON.parse(group)
    const sorted = buckets.toSorted((a, b) => a.le - b.le)
    const decreases = sorted.some(({ value }, at) => value < (sorted[at - 1]?.value ?? 0))
    const last = sorted.at(-1)
    const count = series.get(nameOf(`${name}_count`, labels))
    if (decreases || last?.le !== Infinity || last.value !== count) {
      throw new Error(`${name} ${group} has inconsistent buckets`)
    }
    if (!series.has(nameOf(`${name}_sum`, labels))) throw new Error(`${name} ${group} has no sum`)
  }
}
