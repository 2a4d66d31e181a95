// The cluster as Kubernetes manifests. Each node is a StatefulSet with one pod and a Service of
// the same name, so names and files match the other forms when `domain` is
// <namespace>.svc.cluster.local. Gateway machines are replaced one after another.
import { stringify } from 'yaml'
import type { Secrets } from '../files/platform.ts'
import { filesOf, type Service, deployedServicesOf } from '../services.ts'
import { type Node, nodesOf, places, ports, proxied, type Role, type Values } from '../values.ts'
import { account, containerOf, portsOf } from './containers.ts'

type Manifest = { readonly kind: string; readonly metadata: object } & Record<string, unknown>

const diskOf: Readonly<Record<Role, string>> = {
  etcd: '8Gi',
  database: '500Gi',
  app: '20Gi',
  cache: '1Gi',
  storage: '1Ti',
  front: '1Gi',
}

const labelsOf = ({ name }: Values, node: Node) => ({
  'app.kubernetes.io/part-of': name,
  'app.kubernetes.io/component': node.role,
  'app.kubernetes.io/instance': node.name,
})

const meta = (values: Values, node: Node, name = node.name) => ({
  name,
  namespace: values.name,
  labels: labelsOf(values, node),
})

const readyAt = ({ platform, hosts }: Values, port: number) => ({
  path: platform.ready_path,
  port,
  scheme: 'HTTPS',
  httpHeaders: [{ name: 'Host', value: hosts.api }],
})

const probes = (values: Values, service: Service): object => {
  if (service.name === 'gateway') {
    const port = ports.modules.api
    return {
      startupProbe: { tcpSocket: { port }, periodSeconds: 2, failureThreshold: 60 },
      livenessProbe: { tcpSocket: { port }, periodSeconds: 10, failureThreshold: 6 },
      readinessProbe: { httpGet: readyAt(values, port), periodSeconds: 2, timeoutSeconds: 3 },
    }
  }
  const [port] = portsOf[service.name]
  if (port === undefined) return {}
  return { livenessProbe: { tcpSocket: { port }, initialDelaySeconds: 60, failureThreshold: 6 } }
}

function containerFor(values: Values, node: Node, service: Service) {
  const { image, command } = containerOf(values, service)
  return {
    name: service.name,
    image,
    command,
    envFrom: [{ secretRef: { name: `${node.name}-${service.name}` } }],
    ports: portsOf[service.name].map(containerPort => ({ containerPort })),
    ...probes(values, service),
    resources: { requests: { cpu: '100m', memory: '128Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'config', mountPath: places.config, readOnly: true },
      { name: 'data', mountPath: places.data },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  }
}

function podOf(values: Values, node: Node, services: readonly Service[]) {
  const { postgres, redis } = proxied(values)
  const same = { matchLabels: { 'app.kubernetes.io/component': node.role } }
  return {
    metadata: { labels: labelsOf(values, node) },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: Math.max(...services.map(({ stopSeconds }) => stopSeconds)),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: account,
        runAsGroup: account,
        fsGroup: account,
        seccompProfile: { type: 'RuntimeDefault' },
        sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }],
      },
      ...(node.role === 'app'
        ? { hostAliases: [{ ip: '127.0.0.1', hostnames: [postgres, redis] }] }
        : {}),
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: same, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
      containers: services.map(service => containerFor(values, node, service)),
      volumes: [
        {
          name: 'config',
          projected: {
            // Only the group may read a certificate's key.
            defaultMode: 0o440,
            sources: [{ secret: { name: `${node.name}-files` } }, tlsSource(node)],
          },
        },
        { name: 'tmp', emptyDir: {} },
      ],
    },
  }
}

/** `write` creates this secret. A Kubernetes certificate manager can create it instead. */
const tlsSource = (node: Node) => ({
  secret: {
    name: `${node.name}-tls`,
    items: ['ca.pem', 'node.pem', 'node.key', 'node-and-key.pem'].map(key => ({
      key,
      path: `tls/${key}`,
    })),
  },
})

const secret = (values: Values, node: Node, name: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: meta(values, node, `${node.name}-${name}`),
  stringData,
})

export type Certificates = (node: Node) => Record<string, string>

function nodeManifests(
  values: Values,
  secrets: Secrets,
  node: Node,
  tls: Certificates,
): Manifest[] {
  const services = deployedServicesOf(values, secrets, node)
  const files = filesOf(values, secrets, node).map(({ name, text }) => [name, text] as const)
  return [
    secret(values, node, 'files', Object.fromEntries(files)),
    secret(values, node, 'tls', tls(node)),
    ...(services.length === 0 ? [] : workloadOf(values, node, services)),
  ]
}

function workloadOf(values: Values, node: Node, services: readonly Service[]): Manifest[] {
  const selector = { 'app.kubernetes.io/instance': node.name }
  const open = services.flatMap(({ name }) => portsOf[name])
  const isFront = node.role === 'front'
  return [
    ...services.map(one => secret(values, node, one.name, { ...one.settings, ...one.secrets })),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: meta(values, node),
      spec: {
        ...(isFront ? { type: 'LoadBalancer' } : { clusterIP: 'None' }),
        publishNotReadyAddresses: !isFront,
        selector,
        ports: open.map(port => ({ name: `port-${port}`, port })),
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: meta(values, node),
      spec: {
        serviceName: node.name,
        replicas: 1,
        selector: { matchLabels: selector },
        template: podOf(values, node, services),
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: diskOf[node.role] } },
            },
          },
        ],
      },
    },
  ]
}

/** Maintenance may take down one node per role at a time. */
const budget = (values: Values, role: Role): Manifest => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: role, namespace: values.name },
  spec: { maxUnavailable: 1, selector: { matchLabels: { 'app.kubernetes.io/component': role } } },
})

export function kubernetesFile(values: Values, secrets: Secrets, tls: Certificates): string {
  const roles = (['etcd', 'database', 'app'] as const).filter(
    role => nodesOf(values, role).length > 1,
  )
  const all: Manifest[] = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: values.name } },
    ...values.nodes.flatMap(node => nodeManifests(values, secrets, node, tls)),
    ...roles.map(role => budget(values, role)),
  ]
  return all.map(one => stringify(one)).join('---\n')
}
