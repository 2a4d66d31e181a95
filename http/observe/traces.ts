// OpenTelemetry traces, if OTEL_EXPORTER_OTLP_ENDPOINT is set: a span for each request, webhook
// attempt and job run, built from log events. Spans contain IDs, contract names and numbers, never
// content or a person's name or address. Without the setting, the library isn't loaded.
import type { Attributes, SpanKind, Tracer } from '@opentelemetry/api'
import type { AnsweredRequest, Log } from '../log.ts'
import { now } from '#database/clock.ts'

export type Traces = {
  /** The log, whose requests also become spans. */
  ofRequests<L extends Pick<Log, 'request'>>(log: L): L
  /** Creates a span from a worker's log event that has a duration. */
  ofWork(event: string, fields: Fields): void
  /** Sends the queued spans. */
  close(): Promise<void>
}

type Fields = Readonly<Record<string, string | number | boolean | undefined>>
type Finished = {
  name: string
  kind: SpanKind
  milliseconds: number
  attributes: Attributes
  isError: boolean
  traceparent?: string | null | undefined
}

const none: Traces = {
  ofRequests: log => log,
  ofWork: () => undefined,
  close: () => Promise.resolve(),
}

/** `service` names the process: telehealth-gateway or telehealth-worker. */
export async function openTraces(endpoint: string | undefined, service: string): Promise<Traces> {
  if (endpoint === undefined) return none
  const [api, core, sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const tracer: Tracer = provider.getTracer('telehealth')
  const propagator = new core.W3CTraceContextPropagator()
  const add = ({ name, kind, milliseconds, attributes, isError, traceparent }: Finished) => {
    const parent = traceparent
      ? propagator.extract(api.ROOT_CONTEXT, { traceparent }, api.defaultTextMapGetter)
      : api.ROOT_CONTEXT
    const ended = now()
    const startTime = ended - milliseconds
    const span = tracer.startSpan(name, { kind, startTime, attributes }, parent)
    if (isError) span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.end(ended)
  }
  return {
    ofRequests: log => ({
      ...log,
      readsTraceparent: true,
      request(answered: AnsweredRequest) {
        add(requestSpan(answered, api.SpanKind.SERVER))
        log.request(answered)
      },
    }),
    ofWork(event, fields) {
      if (typeof fields['ms'] !== 'number') return
      const isAttempt = event === 'webhook.attempted'
      const kind = isAttempt ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL
      add(workSpan(event, fields, fields['ms'], kind))
    },
    close: () => provider.shutdown(),
  }
}

function requestSpan(answered: AnsweredRequest, kind: SpanKind): Finished {
  const { method, route, status, milliseconds, requestId, fields = {}, traceparent } = answered
  const attributes = {
    ...prefixed(fields),
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'telehealth.request_id': requestId,
  }
  const name = `${method} ${route}`
  return { name, kind, milliseconds, attributes, isError: status >= 500, traceparent }
}

function workSpan(event: string, fields: Fields, milliseconds: number, kind: SpanKind): Finished {
  const { ms: _, job, ...others } = fields
  const isError = fields['error'] !== undefined || fields['outcome'] === 'failed'
  const name = job === undefined ? event : `${event} ${job}`
  return { name, kind, milliseconds, attributes: prefixed({ ...others, job }), isError }
}

const prefixed = (fields: Fields): Attributes =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[`telehealth.${name}`, value]],
    ),
  )
