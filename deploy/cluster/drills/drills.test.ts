// The drills' own checks: each must detect the faults it's meant for.
import { expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { isWhole, type Database } from '../local/databases.ts'
import { readValues } from '../values.ts'
import { allFaults, faultsOf, nodesHit, randomFrom } from './faults.ts'
import { digestOf, picture } from './documents.ts'
import { startAtRate, untilAnswered } from './rate.ts'
import { areRight, type Committed, isRight, judge, judgeDocuments } from './ledger.ts'
import { type Accepted, conflictsIn, countsOf } from './probe.ts'

const accepted = (node: string, timeline: number, began: number): Accepted => ({
  node,
  timeline,
  began,
  ended: began + 1,
})

test('two primaries: a failover and its reversal are not reported', () => {
  const there = [accepted('db1', 1, 0), accepted('db2', 2, 10), accepted('db1', 3, 20)]
  expect(conflictsIn([...there, accepted('db1', 3, 30)])).toEqual([])
})

test('two primaries: two nodes on one timeline are reported, and so is an old timeline after a newer one', () => {
  expect(conflictsIn([accepted('db1', 1, 0), accepted('db2', 1, 10)])).toEqual([
    'db1 and db2 both accepted on timeline 1',
  ])
  const late = [accepted('db1', 1, 0), accepted('db2', 2, 10), accepted('db1', 1, 20)]
  expect(conflictsIn(late)).toEqual(['db1 accepted on timeline 1 after db2 had on 2'])
})

const committed: Committed = {
  rows: new Map([
    ['a', ['pat_1']],
    ['b', ['pat_2']],
  ]),
  events: [['evt_1', 'evt_2']],
}
const right = {
  acknowledged: new Map([
    ['a', { id: 'pat_1' }],
    ['b', { id: 'pat_2' }],
  ]),
  polled: [['evt_1', 'evt_2']],
  delivered: new Map([
    ['evt_1', 1],
    ['evt_2', 2],
  ]),
}

test('ledger: accepts a write under each returned ID, with each event polled and delivered', () => {
  const verdict = judge(committed, right)
  expect(isRight(verdict)).toBeTrue()
  expect(verdict).toMatchObject({ acknowledged: 2, committedEvents: 2, deliveredAgain: 1 })
})

test('ledger: counts lost, duplicated, skipped, invented and undelivered events', () => {
  const cases = {
    lost: judge(committed, { ...right, acknowledged: new Map([['c', { id: 'pat_3' }]]) }),
    doubled: judge({ ...committed, rows: new Map([['a', ['pat_1', 'pat_9']]]) }, right),
    polledOtherwise: judge(committed, { ...right, polled: [['evt_2', 'evt_1']] }),
    undelivered: judge(committed, { ...right, delivered: new Map([['evt_1', 1]]) }),
    deliveredUncommitted: judge({ ...committed, events: [['evt_1']] }, right),
  }
  for (const [name, verdict] of Object.entries(cases)) {
    expect([name, verdict[name as keyof typeof cases]]).toEqual([name, 1])
    expect(isRight(verdict)).toBeFalse()
  }
  expect(cases.deliveredUncommitted.uncommitted).toEqual(['evt_2'])
})

const document = { id: 'file_1', digest: 'one', size: 9 }
const row = { name: 'a.png', id: 'file_1', size: 9, object: 'o1' }
const judged = (rows: (typeof row)[], polled = ['evt_1'], digest: string | null = 'one') =>
  judgeDocuments({ rows, events: ['evt_1'] }, new Map([['a.png', document]]), polled, () => digest)

test('ledger: accepts a document with its row, its bytes and its event, each once', () => {
  expect(areRight(judged([row]))).toBeTrue()
  const cases = {
    lost: judged([{ ...row, id: 'file_2' }]),
    doubled: judged([row, { ...row, id: 'file_2' }]),
    otherBytes: judged([row], ['evt_1'], null),
    polledOtherwise: judged([row], []),
  }
  for (const [name, filed] of Object.entries(cases)) {
    expect([name, filed[name as keyof typeof cases]]).toEqual([name, 1])
    expect(areRight(filed)).toBeFalse()
  }
})

test('documents: each has its own bytes, and is a picture', async () => {
  const [one, other] = [picture(1000), picture(1000)]
  expect(digestOf(one)).not.toBe(digestOf(other))
  expect(await new Bun.Image(one).metadata()).toMatchObject({ width: 1, height: 1 })
})

test('two primaries: counts probes and accepted writes between two times', () => {
  const asked = [5, 15, 25].map(began => ({ node: 'db1', began }))
  const probe = { asked, accepted: [accepted('db1', 1, 15), accepted('db2', 1, 15)] }
  expect(countsOf(probe, ['db1'], [10, 30])).toEqual({ asked: 2, accepted: 1 })
})

test('faults: every kind hits every target, in the seed’s order', () => {
  const names = (seed: number) =>
    faultsOf(allFaults.length, randomFrom(seed)).map(({ kind, target }) => `${kind} ${target}`)
  expect(new Set(names(1)).size).toBe(23)
  expect(names(1)).toEqual(names(1))
  expect(names(1)).not.toEqual(names(2))
})

const databases: Database[] = ['db1', 'db2', 'db3'].map(node => ({
  node,
  role: node === 'db2' ? 'primary' : 'standby',
  isRunning: true,
  isSynchronous: node !== 'db2',
  timeline: 4,
}))

test('faults: the primary is the one Patroni names, and an etcd majority is two of three', () => {
  const hit = (target: 'primary' | 'standby' | 'etcd majority') =>
    nodesHit({ kind: 'kill', target }, readValues(), databases, randomFrom(1))
  expect(hit('primary')).toEqual(['db2'])
  expect(hit('standby')).toHaveLength(1)
  expect(hit('standby')).not.toContain('db2')
  expect(new Set(hit('etcd majority')).size).toBe(2)
})

test('whole: requires one primary, with every other node a synchronous standby on its timeline', () => {
  const [first, ...others] = databases
  if (first === undefined) throw new Error('there is no database')
  expect(isWhole(databases)).toBeTrue()
  expect(isWhole([{ ...first, timeline: 3 }, ...others])).toBeFalse()
  expect(isWhole([{ ...first, isSynchronous: false }, ...others])).toBeFalse()
  expect(isWhole([{ ...first, role: 'primary' }, ...others])).toBeFalse()
})

test('rate: skips starts beyond the limit, and waits for running work at the end', async () => {
  const gate = Promise.withResolvers<void>()
  const done: number[] = []
  const { counts, finish } = startAtRate(1000, 3, async number => {
    await gate.promise
    done.push(number)
  })
  await until(() => counts().skipped > 0)
  expect(counts().sent).toBe(3)
  gate.resolve()
  await finish()
  expect(done).toHaveLength(counts().sent)
})

test('rate: repeats a request until it gets a response, and stops after a refusal', async () => {
  const answers = [undefined, undefined, 'id']
  expect(await untilAnswered(async () => answers.shift())).toBe('id')
  expect(answers).toEqual([])
  await expect(untilAnswered(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
})
