// A webhook receiver on this machine, for walks in which deliveries fail and succeed. The server
// starts with its certificate authority and its address (playwright.config.ts).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { authority } from '#http/testing/receiver.ts'
import { root } from './servers.ts'

/** The address isn't 127.0.0.1, because the guides show that 127.0.0.1 is refused. */
const host = '127.0.0.2'

const folder = path.join(root, '.data', 'e2e-receiver')
const fileOf = (name: 'authority' | 'receiver' | 'key') => path.join(folder, `${name}.pem`)

/** Creates the receiver's certificate, and returns the settings that make the server trust it. */
export function receiverSettings() {
  const { cert, key } = authority.sign(host)
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf('authority'), authority.cert)
  writeFileSync(fileOf('receiver'), cert)
  writeFileSync(fileOf('key'), key, { mode: 0o600 })
  return { WEBHOOK_ALLOW: host, WEBHOOK_CA: fileOf('authority') }
}

/** Responds with the current status, or not at all if it's 0, and stores the IDs of accepted
 *  events. */
export async function openReceiver() {
  const receiver = { status: 200, accepted: [] as string[], url: '', stop: () => {} }
  const tls = { cert: readFileSync(fileOf('receiver')), key: readFileSync(fileOf('key')) }
  const server = createServer(tls, (request, response) => {
    request.resume().on('end', () => {
      if (receiver.status === 0) return
      if (receiver.status < 300) receiver.accepted.push(String(request.headers['service-event-id']))
      response.writeHead(receiver.status).end('as the walk wants it')
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve)
  })
  receiver.url = `https://${host}:${(server.address() as AddressInfo).port}/clinical`
  receiver.stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return receiver
}
