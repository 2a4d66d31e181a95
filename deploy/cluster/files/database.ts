// A database node's files. Patroni starts PostgreSQL and uses etcd to choose the primary.
// pgBackRest stores base backups and the write-ahead log that follows them.
import { stringify } from 'yaml'
import { hostOf, type Node, nodesOf, places, ports, tls, type Values } from '../values.ts'

const dataDir = `${places.data}/postgres`

/** A commit is acknowledged once a second node has it; if no other node is available, writes wait.
 *  Patroni promotes a node only if a majority proves that no acknowledged commit is missing. */
const synchronous = {
  synchronous_mode: 'quorum',
  synchronous_mode_strict: true,
  synchronous_node_count: 1,
}

/** While etcd is down, a primary stays primary if it can reach every other node. */
const failsafe = { failsafe_mode: true }

const authentication = (username: string) => ({
  username,
  sslmode: 'verify-full',
  sslrootcert: tls.authority,
})

/** Passwords come from the environment: PATRONI_SUPERUSER_PASSWORD and so on. */
export function patroniFile(values: Values, node: Node): string {
  const { ttl, loop_wait, retry_timeout, primary_start_timeout } = values.patroni
  const host = hostOf(values, node)
  return stringify({
    scope: values.name,
    name: node.name,
    restapi: {
      listen: `0.0.0.0:${ports.patroni}`,
      connect_address: `${host}:${ports.patroni}`,
      certfile: tls.certificate,
      keyfile: tls.key,
      cafile: tls.authority,
      // Any internal client may read the state; changing it requires a cluster certificate.
      verify_client: 'optional',
    },
    ctl: { certfile: tls.certificate, keyfile: tls.key, cacert: tls.authority },
    etcd3: {
      hosts: nodesOf(values, 'etcd').map(each => `${hostOf(values, each)}:${ports.etcd}`),
      protocol: 'https',
      cacert: tls.authority,
      cert: tls.certificate,
      key: tls.key,
    },
    bootstrap: {
      dcs: {
        ttl,
        loop_wait,
        retry_timeout,
        primary_start_timeout,
        maximum_lag_on_failover: 0,
        ...synchronous,
        ...failsafe,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: parameters(values) },
      },
      initdb: ['data-checksums', { encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      ...(values.restore_to === undefined ? {} : restoring(values, values.restore_to)),
    },
    postgresql: postgresql(values, host),
  })
}

/** Restores the first node of an empty cluster from the backup. */
const restoring = (values: Values, moment: string) => ({
  method: 'backup',
  backup: {
    command: `${backrest(values)} --delta --type=time --target='${moment}' --target-action=promote restore`,
    no_params: true,
    keep_existing_recovery_conf: true,
  },
})

const backrest = ({ name }: Values) =>
  `pgbackrest --config=${places.config}/pgbackrest.conf --stanza=${name}`

function postgresql(values: Values, host: string) {
  return {
    listen: `0.0.0.0:${ports.postgres}`,
    connect_address: `${host}:${ports.postgres}`,
    data_dir: dataDir,
    bin_dir: `/usr/lib/postgresql/${values.postgres.version}/bin`,
    pgpass: `${places.data}/pgpass`,
    use_unix_socket: true,
    authentication: {
      superuser: authentication('postgres'),
      replication: authentication('replicator'),
      rewind: authentication('rewind'),
    },
    parameters: {
      unix_socket_directories: places.data,
      ssl: 'on',
      ssl_cert_file: tls.certificate,
      ssl_key_file: tls.key,
      ssl_ca_file: tls.authority,
      archive_command: `${backrest(values)} archive-push %p`,
    },
    recovery_conf: {
      restore_command: `${backrest(values)} archive-get %f %p`,
    },
    create_replica_methods: ['basebackup'],
    basebackup: { checkpoint: 'fast' },
    pg_hba: [
      'local all postgres peer',
      'local all app scram-sha-256',
      'hostssl all all 0.0.0.0/0 scram-sha-256',
      'hostssl replication replicator 0.0.0.0/0 scram-sha-256',
    ],
  }
}

/** Settings that all nodes share, stored in etcd. */
const parameters = ({ postgres }: Values) => ({
  max_connections: postgres.max_connections,
  shared_buffers: postgres.shared_buffers,
  password_encryption: 'scram-sha-256',
  wal_level: 'replica',
  wal_log_hints: 'on',
  max_wal_senders: 10,
  max_replication_slots: 10,
  hot_standby: 'on',
  archive_mode: 'on',
  archive_timeout: '60s',
  synchronous_commit: 'on',
  // Detects a standby that stopped responding within ttl, not after the default minute.
  wal_sender_timeout: '10s',
  wal_receiver_timeout: '10s',
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: '10s',
  log_min_duration_statement: -1,
})

export const pgbackrestFile = (values: Values): string =>
  [
    '[global]',
    ...Object.entries(values.backup).map(([name, value]) => `${name}=${value}`),
    'start-fast=y',
    'compress-type=lz4',
    `log-path=${places.data}`,
    'log-level-console=warn',
    'log-level-file=off',
    `lock-path=${places.data}`,
    '',
    `[${values.name}]`,
    `pg1-path=${dataDir}`,
    `pg1-socket-path=${places.data}`,
    '',
  ].join('\n')

/** Runs once, on the primary: creates the database and its schema's owner. */
export const preparationSql = (values: Values, ownerPassword: string): string => `
do $$ begin
  if not exists (select from pg_roles where rolname = 'app') then
    create role app login createrole password '${ownerPassword}';
  end if;
end $$;
grant pg_monitor to app with admin option;
select 'create database ${values.postgres.database} owner app'
 where not exists (select from pg_database where datname = '${values.postgres.database}') \\gexec
`
