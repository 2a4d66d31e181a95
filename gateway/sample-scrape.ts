// Reads metrics as Prometheus does, by the grammar of its text format 0.0.4, and refuses what it
// would: a family that comes twice or in pieces, a series that comes twice, a head behind its
// samples, a histogram whose buckets do not add up.

export type Scraped = Map<string, { kind: string; help: string; series: Map<string, number> }>

const head = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/
const sample =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]?Inf|[+-]?\d[\d.]*(?:e[+-]?\d+)?)$/
const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/
const kinds = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped'])

/** Labels in one order, so that a series is known by its text. */
export function nameOf(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  return `${name}{${pairs.sort().join(',')}}`
}

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== '';) {
    const found = label.exec(rest)
    if (!found) throw new Error(`no label: ${rest}`)
    const [whole, name = '', value = ''] = found
    if (name in labels) throw new Error(`a label twice: ${text}`)
    labels[name] = value
    rest = rest.slice(whole.length)
  }
  return labels
}

export function scrape(text: string): Scraped {
  const all: Scraped = new Map()
  const told = new Set<string>()
  let family = ''
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  for (const line of text.slice(0, -1).split('\n')) {
    // "Empty lines are ignored."
    if (line === '') continue
    const [, what = '', name = '', rest = ''] = head.exec(line) ?? []
    if (what !== '') {
      if (told.has(`${what} ${name}`)) throw new Error(`twice: ${line}`)
      told.add(`${what} ${name}`)
      family = name
      const known = all.get(name) ?? { kind: 'untyped', help: '', series: new Map() }
      if (known.series.size > 0) throw new Error(`a head behind its samples: ${line}`)
      if (what === 'TYPE' && !kinds.has(rest)) throw new Error(`no kind: ${line}`)
      all.set(name, what === 'HELP' ? { ...known, help: rest } : { ...known, kind: rest })
      continue
    }
    const [, of = '', labels = '', value = ''] = sample.exec(line) ?? []
    const found = all.get(family)
    const ends = found?.kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    if (!found || !ends.some(end => of === `${family}${end}`)) throw new Error(`astray: ${line}`)
    const key = nameOf(of, labelsIn(labels))
    if (found.series.has(key)) throw new Error(`twice: ${line}`)
    found.series.set(key, Number(value.replace('Inf', 'Infinity')))
  }
  for (const [name, { kind, series }] of all) if (kind === 'histogram') addsUp(name, series)
  return all
}

/** Buckets never fall, the last counts everything, and each has its sum. */
function addsUp(name: string, series: ReadonlyMap<string, number>): void {
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
    const falls = sorted.some(({ value }, at) => value < (sorted[at - 1]?.value ?? 0))
    const last = sorted.at(-1)
    const count = series.get(nameOf(`${name}_count`, labels))
    if (falls || last?.le !== Infinity || last.value !== count) {
      throw new Error(`${name} ${group} does not add up`)
    }
    if (!series.has(nameOf(`${name}_sum`, labels))) throw new Error(`${name} ${group} has no sum`)
  }
}
