// The front proxy's file: TLS for each public name, and every ready gateway as its upstream.
import { hostOf, type ModuleName, modules, nodesOf, ports, tls, type Values } from '../values.ts'

export function caddyFile(values: Values): string {
  const site = (name: ModuleName) => {
    const port = ports.modules[name]
    const upstreams = nodesOf(values, 'app').map(node => `https://${hostOf(values, node)}:${port}`)
    return [
      `https://${values.hosts[name]}:${ports.front} {`,
      `\ttls ${tls.certificate} ${tls.key}`,
      `\treverse_proxy ${upstreams.join(' ')} {`,
      '\t\tlb_policy least_conn',
      // If a gateway can't be reached, the request is passed to the next gateway. Otherwise, the
      // request isn't repeated.
      '\t\tlb_try_duration 5s',
      '\t\tlb_try_interval 100ms',
      '\t\tfail_duration 2s',
      ...healthChecks(values),
      '\t\tflush_interval -1',
      '\t\ttransport http {',
      `\t\t\ttls_trusted_ca_certs ${tls.authority}`,
      '\t\t\tversions 1.1',
      '\t\t\tdial_timeout 2s',
      // The keepalive is shorter than a gateway's 30 s idle limit, so no request uses a closing
      // connection.
      '\t\t\tkeepalive 20s',
      '\t\t\tkeepalive_idle_conns_per_host 64',
      '\t\t}',
      '\t}',
      '}',
    ].join('\n')
  }
  const global = ['{', '\tadmin off', '\tauto_https off', '}']
  return [global.join('\n'), ...modules.map(site), ''].join('\n\n')
}

const healthChecks = ({ platform, hosts }: Values) => [
  `\t\thealth_uri ${platform.ready_path}`,
  // One port reports the health of all of a gateway's modules.
  `\t\thealth_port ${ports.modules.api}`,
  '\t\thealth_interval 1s',
  // The timeout is long, so machines that are all slow stay in rotation. A hanging machine gets few
  // requests anyway, because its current requests don't end.
  '\t\thealth_timeout 10s',
  '\t\thealth_headers {',
  `\t\t\tHost ${hosts.api}`,
  '\t\t}',
]
