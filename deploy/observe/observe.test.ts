// This folder's files match the platform's metrics and each other, and Prometheus accepts them.
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { families } from '#http/observe/metric-families.ts'
import { panels } from './dashboard.ts'

const read = (file: string) => readFileSync(path.join(import.meta.dir, file), 'utf8')

type Rule = {
  alert?: string
  record?: string
  expr: string
  labels?: { severity: string }
  annotations?: { summary: string; runbook: string }
}
const series = ['alerts-service.test.yaml', 'alerts-data.test.yaml']
const groups: { rules: Rule[] }[] = parse(read('alerts.yaml')).groups
const rules = groups.flatMap(group => group.rules)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const recorded = new Set(rules.flatMap(({ record }) => record ?? []))

const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

/** Each family's series with their labels, as scraped. */
const exported = new Map<string, readonly string[]>(
  Object.entries(families).flatMap(([name, { kind, labels }]) => {
    // Every target has a `job` label, so Prometheus renames the metric's label.
    const own = labels.map(label => (label === 'job' ? 'exported_job' : label))
    const known: readonly string[] = [...own, 'instance', 'job', 'le']
    const ends = kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    return ends.map((end): [string, readonly string[]] => [`${name}${end}`, known])
  }),
)

const namesIn = (expr: string) => expr.match(/\btelehealth[_:][\w:]+/g) ?? []
/** Labels in selectors, each with its series. */
const selectorsIn = (expr: string) =>
  [...expr.matchAll(/\b(telehealth_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!=|=)/g)].map(([, label = '']) => ({ name, label })),
  )
const isMissing = (name: string) => !exported.has(name) && !recorded.has(name)

describe('observe', () => {
  const all = [...rules.map(({ expr }) => expr), ...shown]

  test('every metric and label in the rules and the dashboard is exported', () => {
    expect([alerts.length > 15, shown.length > 30]).toEqual([true, true])
    expect(all.flatMap(namesIn).filter(isMissing)).toEqual([])
    const selectors = all.flatMap(selectorsIn)
    expect(selectors.length).toBeGreaterThan(5)
    expect(selectors.filter(({ name, label }) => !exported.get(name)?.includes(label))).toEqual([])
  })

  test('every alert has a heading in the runbook, and every heading an alert', () => {
    const runbook = read('README.md').split('\n## Runbook\n')[1] ?? ''
    const headings = [...runbook.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(alerts.map(({ alert }) => alert))
    for (const { alert = '', labels, annotations } of alerts) {
      expect(annotations?.runbook).toBe(`deploy/observe/README.md#${alert.toLowerCase()}`)
      expect(['page', 'ticket']).toContain(labels?.severity ?? '')
      expect(annotations?.summary).toEndWith('.')
    }
  })

  test('the runbook’s links to other headings lead to them', () => {
    const text = read('README.md')
    const anchors = [...text.matchAll(/\]\(#(\w+)\)/g)].map(([, anchor]) => anchor)
    const headings = new Set(
      [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase()),
    )
    expect(anchors.length).toBeGreaterThan(3)
    expect(anchors.filter(anchor => !headings.has(anchor ?? ''))).toEqual([])
  })

  test('the runbooks name every log event and every check of /api/health', async () => {
    const root = path.join(import.meta.dir, '../..')
    const runbooks = read('README.md') + read('../README.md')
    const names = new Set<string>()
    for (const folder of ['booking', 'clinical', 'database', 'email', 'gateway', 'http'])
      for (const file of new Bun.Glob(`${folder}/**/*.ts`).scanSync(root)) {
        if (/\.test\.ts$|\/testing\//.test(file)) continue
        const text = readFileSync(path.join(root, file), 'utf8')
        const found = [
          ...text.matchAll(/\b(?:event|note)\(\s*'([a-z]+\.[a-z_]+)'/g),
          ...text.matchAll(/\bname: '([a-z]+:[a-zA-Z]+)'/g),
        ]
        for (const [, name = ''] of found) names.add(name)
      }
    expect(names.size).toBeGreaterThan(40)
    expect([...names].filter(name => !runbooks.includes(`\`${name}\``))).toEqual([])
  })

  test('every alert has test series that trigger it, and series that do not', () => {
    type Expected = { alertname: string; exp_alerts: unknown[] }
    const expected = series.flatMap(file => {
      const tests: { alert_rule_test: Expected[] }[] = parse(read(file)).tests
      return tests.flatMap(one => one.alert_rule_test)
    })
    const are = (isRaised: boolean) =>
      expected.flatMap(one => (one.exp_alerts.length > 0 === isRaised ? one.alertname : []))
    const names = alerts.map(({ alert = '' }) => alert).toSorted()
    expect([...new Set(are(true))].toSorted()).toEqual(names)
    expect([...new Set(are(false))].toSorted()).toEqual(names)
  })

  const promtool = '/usr/bin/promtool'
  const mustRun = process.env['CI'] === 'true'
  test.skipIf(!existsSync(promtool) && !mustRun)(
    'Prometheus accepts the files, and alerts exactly when it must',
    () => {
      for (const command of [
        ['check', 'config', 'prometheus.yaml'],
        ['test', 'rules', ...series],
      ]) {
        const options = { cwd: import.meta.dir, stdout: 'pipe', stderr: 'pipe' } as const
        const { exitCode, stdout, stderr } = Bun.spawnSync([promtool, ...command], options)
        expect(`${exitCode}${exitCode === 0 ? '' : `${stdout}${stderr}`}`).toBe('0')
      }
    },
    300_000,
  )
})
