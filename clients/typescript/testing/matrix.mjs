// A program for Node, Bun and Deno: the outcome of every row in clients/testing/faults.json.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { Svc } from '@svc/sdk'

const { control, api, key, client, ada, rows } = JSON.parse(readFileSync('matrix.json', 'utf8'))
const direct = new Svc({ apiKey: key, baseUrl: api })
const { id: patient } = await direct.patients.create(ada)

const { client_id: clientId, client_secret: clientSecret, auth_url: authUrl } = client
const credentials = {
  client: { clientId, clientSecret, authUrl },
  'wrong secret': { clientId, clientSecret: 'wrong', authUrl },
}
const photo = { kind: 'photo_id', filename: 'id.png', mime: 'image/png' }
const times = { timeout: 'timeout', total_timeout: 'totalTimeout' }
const optionsOf = (options = {}) =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) =>
      name in times ? [times[name], value * 1000] : ['maxRetries', value],
    ),
  )

/** The fields that a caller can read from an error. */
const failureOf = error => ({
  error: error.name,
  status: error.status,
  code: error.code,
  retry_after: error.retryAfter,
  attempts: error.attempts,
  cause: error.cause?.name,
  message: `${error.message} ${error.cause ?? ''}`,
  isTyped: error instanceof Error && 'cause' in error ? error.cause instanceof Error : true,
})

async function run({ name, call = 'create', credential, options, way }, faults) {
  const asked = { method: 'POST', body: JSON.stringify({ faults, way }) }
  const { number, url, env, options: more } = await (await fetch(control, asked)).json()
  Object.assign(process.env, env)
  const external_id = crypto.randomUUID()
  const svc = new Svc({
    ...(credentials[credential] ?? { apiKey: key }),
    baseUrl: url,
    ...optionsOf(options),
    ...more,
  })
  const began = performance.now()
  const calls = {
    get: () => svc.patients.get(patient).withResponse(),
    create: () => svc.patients.create({ ...ada, external_id }).withResponse(),
    upload: () => svc.files.upload({ ...photo, patient, body: new Uint8Array(1000) }),
  }
  const outcome = await calls[call]().then(
    ({ attempts, replayed, size_bytes: size }) => ({ attempts, replayed, size }),
    failureOf,
  )
  const took = (performance.now() - began) / 1000
  for (const variable of Object.keys(env)) delete process.env[variable]
  const { keys, through } = await (await fetch(`${control}/${number}`)).json()
  const found = await direct.patients.list({ external_id }).toArray({ max: 10 })
  return {
    name,
    ...outcome,
    took,
    rows: found.length,
    keys: new Set(keys.filter(Boolean)).size,
    through: through.map(line => line.split(' ')[0]),
    ways: [...new Set(through.map(line => line.split(' ')[0]))],
  }
}

const runs = rows.flatMap(row => (row.each ?? [row.faults ?? []]).map(faults => [row, faults]))
// Environment settings apply to every call, so rows with a `way` run alone.
const together = runs.filter(([row]) => row.way === undefined)
const results = await Promise.all(together.map(one => run(...one)))
for (const one of runs) if (!together.includes(one)) results.push(await run(...one))
process.stdout.write(`${JSON.stringify(results)}\n`)
