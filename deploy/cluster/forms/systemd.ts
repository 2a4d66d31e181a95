// The cluster as systemd units: a tree of files to copy onto each machine. A unit can write only
// its own data and can't gain privileges.
import type { Secrets } from '../files/platform.ts'
import { filesOf, type Service, deployedServicesOf } from '../services.ts'
import { type Node, places, type Values } from '../values.ts'

export type TreeFile = { readonly path: string; readonly text: string; readonly isSecret: boolean }

/** Additional lines for some services. */
const special: Partial<Record<Service['name'], readonly string[]>> = {
  // PostgreSQL keeps running while Patroni restarts.
  patroni: ['KillMode=process', 'OOMScoreAdjust=-900'],
  caddy: ['AmbientCapabilities=CAP_NET_BIND_SERVICE', 'CapabilityBoundingSet=CAP_NET_BIND_SERVICE'],
}

type Unit = Pick<Service, 'summary' | 'user' | 'command' | 'stopSeconds'> & {
  readonly own?: readonly string[]
  /** The name of its settings file. */
  readonly file: string
}

export function unitFile({ file, summary, user, command, stopSeconds, own = [] }: Unit): string {
  return [
    '[Unit]',
    `Description=${summary}`,
    'After=network-online.target',
    'Wants=network-online.target',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    `User=${user}`,
    // Members of this group can read the certificate's key.
    'SupplementaryGroups=telehealth',
    `EnvironmentFile=${places.config}/${file}.env`,
    `ExecStart=${command.join(' ')}`,
    `WorkingDirectory=${user === 'telehealth' ? places.program : '/'}`,
    'StateDirectory=telehealth',
    'Restart=always',
    'RestartSec=1',
    `TimeoutStopSec=${stopSeconds}`,
    'LimitNOFILE=65536',
    ...own,
    'UMask=0077',
    'NoNewPrivileges=yes',
    ...(own.some(line => line.startsWith('Capability')) ? [] : ['CapabilityBoundingSet=']),
    'ProtectSystem=strict',
    'ProtectHome=yes',
    'PrivateTmp=yes',
    'PrivateDevices=yes',
    'ProtectClock=yes',
    'ProtectHostname=yes',
    'ProtectKernelLogs=yes',
    'ProtectKernelModules=yes',
    'ProtectKernelTunables=yes',
    'ProtectControlGroups=yes',
    'ProtectProc=invisible',
    'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
    'RestrictNamespaces=yes',
    'RestrictRealtime=yes',
    'RestrictSUIDSGID=yes',
    'LockPersonality=yes',
    'SystemCallArchitectures=native',
    // The process that opens documents uses seccomp to confine itself.
    'SystemCallFilter=@system-service seccomp',
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n')
}

/** Quoted, so no character in a value is special to systemd or a shell. */
export const environmentFile = ({
  settings,
  secrets,
}: Pick<Service, 'settings' | 'secrets'>): string =>
  Object.entries({ ...settings, ...secrets })
    .map(([name, value]) => `${name}="${value.replaceAll(/["\\$`]/g, String.raw`\$&`)}"\n`)
    .join('')

export function systemdTree(values: Values, secrets: Secrets, node: Node): TreeFile[] {
  const services = deployedServicesOf(values, secrets, node)
  const at = (folder: string, name: string) => `${folder}/${name}`.slice(1)
  return [
    ...filesOf(values, secrets, node).map(({ name, text, isSecret = false }) => ({
      path: at(places.config, name),
      text,
      isSecret,
    })),
    ...services.flatMap(service => [
      {
        path: at('/etc/systemd/system', `telehealth-${service.name}.service`),
        text: unitFile({ ...service, file: service.name, own: special[service.name] ?? [] }),
        isSecret: false,
      },
      {
        path: at(places.config, `${service.name}.env`),
        text: environmentFile(service),
        isSecret: true,
      },
    ]),
  ]
}
