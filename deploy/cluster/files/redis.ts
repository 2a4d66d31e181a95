// A cache node's file: rate limit counters, which may be lost. While HAProxy considers the first
// node down, HAProxy sends writes to the replica, which follows the first node again once the first
// node is back. There is no election.
import { hostOf, type Node, nodesOf, places, ports, tls, type Values } from '../values.ts'

export function redisFile(values: Values, node: Node, password: string): string {
  const [first] = nodesOf(values, 'cache')
  const isReplica = first !== undefined && first.name !== node.name
  return [
    'port 0',
    `tls-port ${ports.redis}`,
    'bind 0.0.0.0',
    `tls-cert-file ${tls.certificate}`,
    `tls-key-file ${tls.key}`,
    `tls-ca-cert-file ${tls.authority}`,
    'tls-auth-clients no',
    'tls-replication yes',
    `requirepass ${password}`,
    `masterauth ${password}`,
    ...(isReplica ? [`replicaof ${hostOf(values, first)} ${ports.redis}`] : []),
    'replica-read-only no',
    'maxmemory 256mb',
    'maxmemory-policy volatile-ttl',
    'save ""',
    'appendonly no',
    `dir ${places.data}`,
    'tcp-keepalive 10',
    '',
  ].join('\n')
}
