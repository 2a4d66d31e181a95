// A service's container settings, for both compose and Kubernetes.
import type { Service, ServiceName } from '../services.ts'
import { places, ports, type Values } from '../values.ts'

type Image = keyof Values['images']

const images: Record<ServiceName, Image> = {
  etcd: 'etcd',
  patroni: 'postgres',
  redis: 'redis',
  storage: 'platform',
  haproxy: 'haproxy',
  gateway: 'platform',
  worker: 'platform',
  caddy: 'caddy',
}

/**
 * Containers don't have our named accounts, so all containers use one user ID. No container runs as
 * root.
 */
export const account = 10_001

/** Third-party images have their own program paths, so their programs are found through PATH. */
const commandIn = ({ name, command }: Service): readonly string[] => {
  const [program = '', ...rest] = command
  return program.startsWith(places.program)
    ? command
    : [name === 'patroni' ? 'patroni' : (program.split('/').at(-1) ?? ''), ...rest]
}

export const containerOf = (values: Values, service: Service) => ({
  image: values.images[images[service.name]],
  command: [...commandIn(service)],
})

export const portsOf: Readonly<Record<ServiceName, readonly number[]>> = {
  etcd: [ports.etcd, ports.etcdPeer],
  patroni: [ports.postgres, ports.patroni],
  redis: [ports.redis],
  storage: [ports.storage],
  haproxy: [],
  gateway: [...Object.values(ports.modules), ports.metrics],
  worker: [ports.workerMetrics],
  caddy: [ports.front],
}
