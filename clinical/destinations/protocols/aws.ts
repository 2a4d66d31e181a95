// Amazon S3 and SQS, and EventBridge. Their requests are signed with AWS Signature Version 4.

import { AwsV4Signer } from 'aws4fetch'
import { createdAt } from '#contract/ids.ts'
import {
  attributesOf,
  type DestinationRequest,
  listIn,
  member,
  type Message,
  type Protocol,
  setting,
  type Target,
} from './protocol.ts'

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text)

async function signed(
  target: Target,
  service: string,
  { url, method, headers, body }: DestinationRequest,
): Promise<DestinationRequest> {
  const signer = new AwsV4Signer({
    accessKeyId: setting(target, 'access_key_id'),
    secretAccessKey: target.secret,
    region: setting(target, 'region'),
    service,
    url: url.href,
    method,
    headers,
    body,
    datetime: new Date(target.now).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    allHeaders: true,
  })
  const done = await signer.sign()
  return { url, method, body, headers: Object.fromEntries(done.headers) }
}

/** Builds a request to a service with JSON bodies. */
const callOf = (target: Target, service: string, version: string, call: string, body: object) =>
  signed(target, service, {
    url: target.url,
    method: 'POST',
    headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': call },
    body: JSON.stringify(body),
  })

const textAttributes = (message: Message) =>
  Object.fromEntries(
    Object.entries(attributesOf(message)).map(([name, value]) => [
      name,
      { DataType: 'String', StringValue: value },
    ]),
  )

export const sqs: Protocol = {
  request: (target, batch) =>
    callOf(target, 'sqs', '1.0', 'AmazonSQS.SendMessageBatch', {
      QueueUrl: `https://${target.url.hostname}${target.url.pathname}`,
      Entries: batch.map((one, at) => ({
        Id: String(at),
        MessageBody: one.body,
        MessageAttributes: textAttributes(one),
      })),
    }),
  refused: answer => listIn(answer, 'Failed').map(entry => Number(member(entry, 'Id'))),
}

export const eventbridge: Protocol = {
  request: (target, batch) =>
    callOf(target, 'events', '1.1', 'AWSEvents.PutEvents', {
      Entries: batch.map(one => ({
        EventBusName: setting(target, 'bus'),
        Source: 'clinical-integrations',
        DetailType: one.event_type,
        Detail: one.body,
        Time: Math.floor(createdAt(one.event) / 1000),
      })),
    }),
  refused: answer =>
    listIn(answer, 'Entries').flatMap((entry, at) =>
      member(entry, 'ErrorCode') === undefined ? [] : [at],
    ),
}

/** The hour an event was written in, as folders; a batch has events from one hour. */
export const hourOf = (event: string) =>
  new Date(createdAt(event)).toISOString().slice(0, 13).replaceAll(/[-T]/g, '/')

export const s3: Protocol = {
  request(target, unordered) {
    const batch = unordered.toSorted((one, other) => (one.event < other.event ? -1 : 1))
    const body = batch.map(one => `${one.body}\n`).join('')
    // After a lost response, the same deliveries overwrite the object; other deliveries get a
    // different object.
    const name = sha256(batch.map(({ id }) => id).join())
      .digest('hex')
      .slice(0, 24)
    const url = new URL(target.url)
    url.pathname += `${hourOf(batch[0]?.event ?? '')}/${name}.ndjson`
    return signed(target, 's3', {
      url,
      method: 'PUT',
      headers: {
        'content-type': 'application/x-ndjson',
        'x-amz-content-sha256': sha256(body).digest('hex'),
      },
      body,
    })
  },
}
