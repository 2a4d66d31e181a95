// Google Pub/Sub, Azure Event Hubs, and Kafka through its REST proxy.

import { importPKCS8, SignJWT } from 'jose'
import { attributesOf, listIn, member, type Protocol, setting, type Target } from './protocol.ts'

const tokenSeconds = 300

/** Builds a service account's JWT, which Google's APIs accept instead of an access token
 *  (developers.google.com/identity/protocols/oauth2/service-account#jwt-auth). */
async function serviceAccountToken(target: Target): Promise<string> {
  const email = setting(target, 'client_email')
  const seconds = Math.floor(target.now / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: setting(target, 'private_key_id') })
    .setIssuer(email)
    .setSubject(email)
    .setAudience('https://pubsub.googleapis.com/')
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + tokenSeconds)
    .sign(await importPKCS8(target.secret, 'RS256'))
}

export const pubsub: Protocol = {
  request: async (target, batch) => ({
    url: target.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${await serviceAccountToken(target)}`,
    },
    body: JSON.stringify({
      messages: batch.map(one => ({
        data: Buffer.from(one.body).toString('base64'),
        attributes: attributesOf(one),
      })),
    }),
  }),
}

/** Builds a shared access signature for the hub
 *  (`learn.microsoft.com/rest/api/eventhub/generate-sas-token`). */
function sharedAccessSignature(target: Target): string {
  const hub = `https://${target.url.hostname}/${setting(target, 'hub')}`
  const resource = encodeURIComponent(hub)
  const expires = Math.floor(target.now / 1000) + tokenSeconds
  const signature = new Bun.CryptoHasher('sha256', target.secret)
    .update(`${resource}\n${expires}`)
    .digest('base64')
  const name = encodeURIComponent(setting(target, 'key_name'))
  return `SharedAccessSignature sr=${resource}&sig=${encodeURIComponent(signature)}&se=${expires}&skn=${name}`
}

export const eventHubs: Protocol = {
  request: async (target, batch) => ({
    url: target.url,
    method: 'POST',
    headers: {
      'content-type': 'application/vnd.microsoft.servicebus.json',
      authorization: sharedAccessSignature(target),
    },
    body: JSON.stringify(batch.map(one => ({ Body: one.body, UserProperties: attributesOf(one) }))),
  }),
}

/** Events about one resource have its ID as their key, so they share a partition. */
export const kafka: Protocol = {
  request: async (target, batch) => ({
    url: target.url,
    method: 'POST',
    headers: {
      'content-type': 'application/vnd.kafka.json.v2+json',
      accept: 'application/vnd.kafka.v2+json',
      authorization: `Basic ${Buffer.from(`${setting(target, 'username')}:${target.secret}`).toString('base64')}`,
    },
    body: JSON.stringify({
      records: batch.map(one => {
        const value: unknown = JSON.parse(one.body)
        return { key: member(member(value, 'resource'), 'id'), value }
      }),
    }),
  }),
  refused: answer =>
    listIn(answer, 'offsets').flatMap((offset, at) =>
      typeof member(offset, 'error_code') === 'number' ? [at] : [],
    ),
}
