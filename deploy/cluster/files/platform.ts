// Gateway and worker settings.
import { hostOf, modules, nodesOf, places, ports, proxied, tls, type Values } from '../values.ts'

/** The cluster's secrets. */
export type Secrets = Readonly<
  Record<
    | 'postgres'
    | 'replicator'
    | 'rewind'
    | 'owner'
    | 'redis'
    | 'pepper'
    | 'seal'
    | 'bucketKey'
    | 'bucketSecret',
    string
  >
>

export function platformSettings(values: Values): Record<string, string> {
  const { platform, bucket, hosts } = values
  const [storage] = nodesOf(values, 'storage')
  const urls = modules.map(name => [
    name === 'api' ? 'BASE_URL' : `${name.toUpperCase()}_URL`,
    `https://${hosts[name]}${name === 'mcp' ? '/mcp' : ''}`,
  ])
  return {
    HOST: '0.0.0.0',
    PORT: String(ports.modules.api),
    ...Object.fromEntries(urls),
    TRUSTED_PROXIES: values.network,
    TLS_CERTIFICATE: tls.certificate,
    TLS_KEY: tls.key,
    DATA_DIR: `${places.data}/platform`,
    SITE_DIR: `${places.program}/site/dist`,
    S3_ENDPOINT: `https://${storage ? hostOf(values, storage) : 'localhost'}:${ports.storage}`,
    S3_BUCKET: bucket.name,
    S3_REGION: bucket.region,
    POOL_SIZE: String(platform.pool_size),
    WORKER_POOL_SIZE: String(platform.worker_pool_size),
    WORKER_SOCKETS: String(platform.worker_sockets),
    RATE_LIMIT_REQUESTS: String(platform.rate_limit_requests),
    ...(platform.webhook_allow.length > 0
      ? { WEBHOOK_ALLOW: platform.webhook_allow.join(','), WEBHOOK_CA: tls.authority }
      : {}),
    MAIL_FROM: platform.mail_from,
    METRICS_HOST: '0.0.0.0',
    METRICS_PORT: String(ports.metrics),
    WORKER_METRICS_PORT: String(ports.workerMetrics),
    LOG_FORMAT: 'json',
    // The same value as in deploy/install.mjs.
    UV_THREADPOOL_SIZE: '16',
    // Certificates from the cluster's own authority, for the cache and the bucket.
    NODE_EXTRA_CA_CERTS: tls.authority,
  }
}

export function platformSecrets(values: Values, secrets: Secrets): Record<string, string> {
  const { postgres, redis } = proxied(values)
  const { smtp_url } = values.platform
  const database = new URL(`postgres://${postgres}:${ports.postgres}/${values.postgres.database}`)
  database.username = 'app'
  database.password = secrets.owner
  database.search = `sslmode=verify-full&sslrootcert=${tls.authority}`
  return {
    DATABASE_URL: database.href,
    REDIS_URL: `rediss://:${secrets.redis}@${redis}:${ports.redis}/0`,
    KEY_PEPPER: secrets.pepper,
    SEAL_KEYS: secrets.seal,
    S3_ACCESS_KEY_ID: secrets.bucketKey,
    S3_SECRET_ACCESS_KEY: secrets.bucketSecret,
    ...(smtp_url === undefined ? {} : { SMTP_URL: smtp_url }),
  }
}
