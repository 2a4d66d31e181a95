// Destinations, listed with endpoints, and the settings that a destination's page shows.
import type { DestinationKind } from '#contract/preview/destinations.ts'
import { Address, Table } from '#http/html/parts.tsx'
import type { MemberCall } from '../../context.ts'
import { eventTypesText } from './event-types.tsx'
import type { Destination } from './find.tsx'
import { countsText, EndpointStatus, Failures, type Health } from './list-parts.tsx'

export const kindNames: Readonly<Record<DestinationKind, string>> = {
  sqs: 'Amazon SQS',
  eventbridge: 'Amazon EventBridge',
  pubsub: 'Google Pub/Sub',
  event_hubs: 'Azure Event Hubs',
  kafka: 'Kafka REST Proxy',
  s3: 'S3, hourly files',
}

/** Each setting that has a field, by name. */
export const settingNames: Readonly<Record<string, string>> = {
  region: 'Region',
  account: 'Account ID',
  queue: 'Queue',
  bus: 'Event bus',
  access_key_id: 'Access key ID',
  secret_access_key: 'Secret access key',
  project: 'Project ID',
  topic: 'Topic',
  client_email: 'Service account email',
  private_key_id: 'Private key ID',
  private_key: 'Private key',
  namespace: 'Namespace',
  hub: 'Event hub',
  key_name: 'Policy name',
  key: 'Policy key',
  url: 'URL',
  username: 'Username',
  password: 'Password',
  bucket: 'Bucket',
  prefix: 'Folder',
}

export const destinationFacts = (destination: Destination) => [
  ['Kind', kindNames[destination.kind]] as const,
  ...Object.entries(destination[destination.kind] ?? {})
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => [settingNames[name] ?? name, String(value)] as const),
]

type DestinationsProps = {
  call: MemberCall
  destinations: readonly Destination[]
  healthOf: ReadonlyMap<string, Health>
}

export const Destinations = ({ call, destinations, healthOf }: DestinationsProps) => (
  <section class="part">
    <div class="part-head">
      <h2>Destinations</h2>
      {call.mayOpen('newDestination') && (
        <a href={call.pathOf('newDestination')}>New destination</a>
      )}
    </div>
    {destinations.length === 0 ? (
      <p class="quiet">
        Send events to Amazon SQS, EventBridge or S3, Google Pub/Sub, Azure Event Hubs or Kafka.
      </p>
    ) : (
      <Table
        caption="Destinations"
        head={['Destination', 'Kind', 'Status', 'Events', 'Consecutive failures', 'Last 24 hours']}
        rows={destinations.map(one => [
          <>
            <a href={call.pathOf('webhook', { id: one.id })}>
              <Address of={one.url} />
            </a>
            {one.description !== null && <div class="fine">{one.description}</div>}
          </>,
          kindNames[one.kind],
          <EndpointStatus endpoint={one} />,
          eventTypesText(one.event_types),
          <Failures count={healthOf.get(one.id)?.failures ?? 0} />,
          countsText(healthOf.get(one.id)),
        ])}
      />
    )}
  </section>
)
