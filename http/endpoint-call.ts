// A call as its surface sees it. Its address is parsed when a surface asks for a part of it, since
// what is asked again and again is answered by the address as it was sent.
import type { Visit } from '#clinical/pipeline/http.ts'
import type { EndpointCall } from './endpoint-router.ts'
import { pathOf } from '#gateway/static/static.ts'
import { readBody } from './endpoint-body.ts'
import { type Change, climbBody, climbUrl } from './version-changes.ts'
import type { Params } from './path-matcher.ts'
import type { RpcId } from './refusals.ts'

/** What the door found out before the surface is asked. */
export type Known = {
  readonly request: Request
  readonly visit: Visit
  readonly address: string | null
  readonly params: Params
  readonly version: string
  readonly idempotencyKey: string | null
  readonly changes: readonly Change[]
  readonly bodyMilliseconds: number | undefined
}

export class Call implements EndpointCall {
  /** As the surface said it, for a refusal of its call. */
  rpcId: RpcId = null
  private climbed: URL | undefined

  constructor(private readonly known: Known) {}

  get request(): Request {
    return this.known.request
  }

  get params(): Params {
    return this.known.params
  }

  get version(): string {
    return this.known.version
  }

  get requestId(): string {
    return this.known.visit.id
  }

  get idempotencyKey(): string | null {
    return this.known.idempotencyKey
  }

  get address(): string | null {
    return this.known.address
  }

  get url(): URL {
    if (this.climbed === undefined) {
      const url = new URL(this.request.url)
      const { changes } = this.known
      this.climbed = changes.length === 0 ? url : climbUrl(url, changes)
    }
    return this.climbed
  }

  get search(): string {
    return this.known.changes.length === 0 ? pathOf(this.request.url).query : this.url.search
  }

  note(fields: Readonly<Record<string, string>>): void {
    this.known.visit.note(fields)
  }

  inReplyTo(id: RpcId): void {
    this.rpcId = id
  }

  async body(bytesMax?: number): Promise<Uint8Array<ArrayBuffer>> {
    const { request, changes, bodyMilliseconds } = this.known
    return climbBody(await readBody(request, bytesMax, bodyMilliseconds), changes)
  }
}
