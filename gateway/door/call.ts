// A call as its surface sees it. Its address is parsed when a surface asks for a part of it, since
// what is asked again and again is answered by the address as it was sent.
import type { Visit } from '#clinical/plugin.ts'
import type { DoorCall } from '../door.ts'
import { pathOf } from '../site/static.ts'
import { readBody } from './body.ts'
import { type Change, climbBody, climbUrl } from './changes.ts'
import type { Params } from './paths.ts'
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

export class Call implements DoorCall {
  readonly request: Request
  readonly params: Params
  readonly version: string
  readonly requestId: string
  readonly idempotencyKey: string | null
  readonly address: string | null
  private climbed: URL | undefined

  constructor(
    private readonly known: Known,
    readonly inReplyTo: (id: RpcId) => void,
  ) {
    this.request = known.request
    this.params = known.params
    this.version = known.version
    this.requestId = known.visit.id
    this.idempotencyKey = known.idempotencyKey
    this.address = known.address
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

  // Not methods: a surface may take them out of its call.
  readonly note = (fields: Readonly<Record<string, string>>): void => this.known.visit.note(fields)

  readonly body = async (bytesMax?: number): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = await readBody(this.request, bytesMax, this.known.bodyMilliseconds)
    return climbBody(bytes, this.known.changes)
  }
}
