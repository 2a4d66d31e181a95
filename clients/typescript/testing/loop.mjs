// A program for Node, Bun and Deno: the loop with the API and with the in-process sandbox, and
// webhooks with both builds of the package.
import { createRequire } from 'node:module'
import process from 'node:process'
import { Svc, sdkVersion } from '@svc/sdk'
import { mockSvc } from '@svc/sdk/testing'
import { signWebhook, verifySignature } from '@svc/sdk/webhooks'
import { loop } from './consult.mjs'

/** Signs webhooks with both builds, and verifies them with the ES module. */
async function signed() {
  const require = createRequire(import.meta.url)
  const { signWebhook: sign } = require('@svc/sdk/webhooks')
  const event = { type: 'order.shipped.v1' }
  const secret = 'whsec_Zk3vQ0m8Jx1n4Tq7Yw2cR5uP9sL6hD0b'
  for (const one of [sign, signWebhook]) {
    const { body, headers } = await one({ event, secret })
    await verifySignature(body, headers, secret)
  }
  return typeof require('@svc/sdk').Svc
}

const result = {
  version: sdkVersion,
  real: await loop(new Svc({ expectMode: 'test' })),
  mock: await loop(mockSvc()),
  commonjs: await signed(),
}
process.stdout.write(`${JSON.stringify(result)}\n`)
