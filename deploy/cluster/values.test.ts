import { expect, test } from 'bun:test'
import { faultsOf, nodesOf, readValues, type Values } from './values.ts'

const values = readValues()
const changed = (change: Partial<Values>) => faultsOf({ ...values, ...change })

test('cluster: the values name three databases, three etcd members and four gateway machines', () => {
  const counts = (['database', 'etcd', 'app'] as const).map(role => nodesOf(values, role).length)
  expect(counts).toEqual([3, 3, 4])
  expect(faultsOf(values)).toEqual([])
})

test('cluster: refuses values that would make a failover fail', () => {
  const patroni = { ...values.patroni, ttl: 15 }
  expect(changed({ patroni })).toEqual([
    'patroni: loop_wait + 2 × retry_timeout must not exceed ttl',
  ])
  const even = values.nodes.filter(({ name }) => name !== 'etcd3')
  expect(changed({ nodes: even })).toEqual(['nodes: etcd needs an odd number'])
  const twice = [...values.nodes, { name: 'db1', role: 'database', address: '10.77.0.99' } as const]
  expect(changed({ nodes: twice })).toEqual(['nodes: two have the same name'])
  const frontless = values.nodes.filter(({ role }) => role !== 'front')
  expect(changed({ nodes: frontless })).toEqual(['nodes: none has the role front'])
})

test('cluster: PostgreSQL allows every gateway’s and worker’s connections', () => {
  expect(changed({ postgres: { ...values.postgres, max_connections: 200 } })).toEqual([
    'postgres: max_connections must be at least 404 for 4 machines',
  ])
})
