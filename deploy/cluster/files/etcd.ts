// An etcd member's file: peers and clients must present a cluster certificate.
import { stringify } from 'yaml'
import { hostOf, type Node, nodesOf, places, ports, tls, type Values } from '../values.ts'

export function etcdFile(values: Values, node: Node): string {
  const peerOf = (each: Node) => `https://${hostOf(values, each)}:${ports.etcdPeer}`
  const security = {
    'cert-file': tls.certificate,
    'key-file': tls.key,
    'client-cert-auth': true,
    'trusted-ca-file': tls.authority,
  }
  return stringify({
    name: node.name,
    'data-dir': `${places.data}/etcd`,
    'listen-client-urls': `https://0.0.0.0:${ports.etcd}`,
    'advertise-client-urls': `https://${hostOf(values, node)}:${ports.etcd}`,
    'listen-peer-urls': `https://0.0.0.0:${ports.etcdPeer}`,
    'initial-advertise-peer-urls': peerOf(node),
    'initial-cluster': nodesOf(values, 'etcd')
      .map(each => `${each.name}=${peerOf(each)}`)
      .join(','),
    'initial-cluster-token': values.name,
    'initial-cluster-state': 'new',
    'heartbeat-interval': 200,
    'election-timeout': 2000,
    'auto-compaction-mode': 'periodic',
    'auto-compaction-retention': '1h',
    'client-transport-security': security,
    'peer-transport-security': security,
    // Patroni uses the gateway. Unlike the command line, a config file turns the gateway off by
    // default.
    'enable-grpc-gateway': true,
    logger: 'zap',
    'log-level': 'warn',
  })
}
