import type { DestinationKind } from '#contract/preview/destinations.ts'
import { eventbridge, s3, sqs } from './aws.ts'
import { eventHubs, kafka, pubsub } from './others.ts'
import type { Protocol } from './protocol.ts'

export const protocols: Readonly<Record<DestinationKind, Protocol>> = {
  sqs,
  eventbridge,
  pubsub,
  event_hubs: eventHubs,
  kafka,
  s3,
}
