// The cluster as a compose file, for one machine with a container engine: each node has its host
// name, a configuration folder and a data folder. The services on a gateway machine share the
// network of the machine's HAProxy, and reach HAProxy at 127.0.0.1.
import { stringify } from 'yaml'
import type { Secrets } from '../files/platform.ts'
import { type Service, deployedServicesOf } from '../services.ts'
import { hostOf, type Node, places, ports, proxied, type Values } from '../values.ts'
import { account, containerOf } from './containers.ts'

/** Folders rather than volumes, because engines create volumes that only root can write to. */
const dataOf = ({ name }: Node) => `data/${name}`
const backup = 'data/backup'

/** Before the start, these folders must exist and belong to the container account. */
export const dataFolders = ({ nodes }: Values): string[] => [...nodes.map(dataOf), backup]

function serviceOf(values: Values, node: Node, service: Service, first: Service) {
  const isFirst = service.name === first.name
  const { postgres, redis } = proxied(values)
  return {
    ...containerOf(values, service),
    user: `${account}:${account}`,
    env_file: `./${node.name}/${service.name}.env`,
    ...(isFirst
      ? {
          hostname: node.name,
          networks: { inside: { aliases: [hostOf(values, node)] } },
          ...(node.role === 'app'
            ? { extra_hosts: [`${postgres}:127.0.0.1`, `${redis}:127.0.0.1`] }
            : {}),
        }
      : {
          network_mode: `service:${node.name}-${first.name}`,
          depends_on: [`${node.name}-${first.name}`],
        }),
    ...(service.name === 'caddy' ? { ports: [`443:${ports.front}`] } : {}),
    volumes: [
      `./${node.name}:${places.config}:ro`,
      `./${dataOf(node)}:${places.data}`,
      ...(node.role === 'database' ? [`./${backup}:${places.backup}`] : []),
    ],
    restart: 'always',
    stop_grace_period: `${service.stopSeconds}s`,
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    ...(service.name === 'caddy'
      ? { sysctls: { 'net.ipv4.ip_unprivileged_port_start': '0' } }
      : {}),
    security_opt: ['no-new-privileges:true'],
    init: true,
  }
}

export function composeFile(values: Values, secrets: Secrets): string {
  const services = values.nodes.flatMap(node => {
    const all = deployedServicesOf(values, secrets, node)
    const [first] = all
    if (first === undefined) return []
    return all.map(service => [
      `${node.name}-${service.name}`,
      serviceOf(values, node, service, first),
    ])
  })
  return stringify({
    services: Object.fromEntries(services),
    // The range of proxies that a gateway trusts.
    networks: { inside: { ipam: { config: [{ subnet: values.network }] } } },
  })
}
