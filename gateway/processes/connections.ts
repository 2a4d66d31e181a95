// The maximum number of PostgreSQL connections each process opens, by pool or listener name. A
// process states the sum when it starts (database/processes.ts), and doesn't start if PostgreSQL
// has no room for them.

/** Maps POOL_SIZE to connections. */
export const gatewayConnections = (size: number): Readonly<Record<string, number>> => ({
  'gateway test': size,
  'gateway live': size,
  'gateway site': size,
  auth: size,
  portal: size,
  console: size,
  'console pages': size,
  pharmacy: pharmacyConnections,
  'wake-up test': 1,
  'wake-up live': 1,
  'realtime listener test': 1,
  'realtime listener live': 1,
  'video rooms listener': 1,
  telehealth: 1,
})

/** Pharmacy updates are rare. */
export const pharmacyConnections = 2

/** Maps WORKER_POOL_SIZE to connections. */
export const workerConnections = (
  size: number,
  hasMetrics = true,
): Readonly<Record<string, number>> => ({
  'worker test': size,
  'worker live': size,
  pharmacy: size,
  'worker listener test': 1,
  'worker listener live': 1,
  'online jobs': 1,
  ...(hasMetrics ? { 'metrics test': 1, 'metrics live': 1 } : {}),
  telehealth: 1,
})

export const sumOf = (connections: Readonly<Record<string, number>>): number =>
  Object.values(connections).reduce((sum, one) => sum + one, 0)
