// HAProxy on each gateway and worker machine: routes connections to the primary that Patroni
// reports and to the cache that responds. HAProxy decrypts nothing.
import { hostOf, nodesOf, ports, tls, type Values } from '../values.ts'

/** Closes connections to a former primary immediately, so a waiting write fails within seconds with
 *  an unknown outcome. */
const check = `check inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions`
const trusted = `check-ssl verify required ca-file ${tls.authority}`

/** Resolves names again when addresses change. A server counts as down until its name resolves. */
const resolving = ' resolvers system init-addr last,libc,none'
const resolvers = ['resolvers system', '  parse-resolv-conf', '  hold valid 5s', '']

export function haproxyFile(values: Values): string {
  const caches = nodesOf(values, 'cache')
  const line = (node: { name: string }, port: number, more: string) => {
    const host = hostOf(values, node)
    const names = values.dns ? resolving : ''
    const checked = `${check} ${trusted} verifyhost ${host}`
    return `  server ${node.name} ${host}:${port} ${checked}${names} ${more}`.trimEnd()
  }
  return [
    'global',
    '  maxconn 4000',
    '',
    ...(values.dns ? resolvers : []),
    'defaults',
    '  mode tcp',
    '  timeout connect 3s',
    '  timeout check 2s',
    // Pooled connections stay open. Keepalives detect dead connections.
    '  timeout client 24h',
    '  timeout server 24h',
    '  option clitcpka',
    '  option srvtcpka',
    '',
    'listen postgres',
    `  bind 127.0.0.1:${ports.postgres}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    ...nodesOf(values, 'database').map(node => line(node, ports.postgres, `port ${ports.patroni}`)),
    '',
    'listen redis',
    `  bind 127.0.0.1:${ports.redis}`,
    '  option tcp-check',
    String.raw`  tcp-check send PING\r\n`,
    // A server that requests a password is also up.
    String.raw`  tcp-check expect rstring ^(\+PONG|-NOAUTH)`,
    ...caches.map((node, at) => line(node, ports.redis, at === 0 ? '' : 'backup')),
    '',
  ].join('\n')
}
