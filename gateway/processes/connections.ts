// The maximum number of PostgreSQL connections that each process opens, by pool or listener name. A
// process reports the sum when it starts (database/processes.ts), and doesn't start if PostgreSQL
// doesn't have room for that many connections.

/** A gateway's connections for a given POOL_SIZE. */
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

/** Few, because pharmacy updates are rare. */
export const pharmacyConnections = 2

/** A worker's connections for a given WORKER_POOL_SIZE. */
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
