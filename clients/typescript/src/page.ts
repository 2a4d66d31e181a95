// Lists: `await` returns the first page, and iteration yields every item.

import type { ApiResponse, Result } from './call.ts'
import { hide, SvcError } from './errors.ts'
import { pageMax } from './generated/contract.ts'

type Query = { limit?: number | undefined; starting_after?: string | undefined }
type Body<T> = { data: T[]; has_more: boolean }

export type AskForPage<T> = (query: Query) => Promise<ApiResponse<Body<T>>>

/** A list's request and query, and the item field to pass as `starting_after`. */
export type ListSource<T> = {
  readonly ask: AskForPage<T>
  readonly cursor: string
  readonly query: Query
}

/** One page of a list. */
export class Page<T> implements AsyncIterable<T> {
  readonly data: T[]
  /** Whether another page follows. */
  readonly has_more: boolean
  declare readonly requestId: string
  readonly #source: ListSource<T>

  constructor(body: Body<T>, requestId: string, source: ListSource<T>) {
    this.data = body.data
    this.has_more = body.has_more
    this.#source = source
    hide(this, { requestId })
  }

  /** The ID to pass as `starting_after` for the next page. */
  get lastId(): string | undefined {
    const last = this.data.at(-1) as Record<string, unknown> | undefined
    const id = last?.[this.#source.cursor]
    return typeof id === 'string' ? id : this.#source.query.starting_after
  }

  /** Requests the next page. Returns null if this is the last page. */
  async next(): Promise<Page<T> | null> {
    const { ask, query } = this.#source
    if (!this.has_more || this.data.length === 0) return null
    const lastId = this.lastId
    const source = { ...this.#source, query: { ...query, starting_after: lastId } }
    try {
      const { data, requestId } = await ask(source.query)
      return new Page(data, requestId, source)
    } catch (error) {
      if (error instanceof SvcError && lastId !== undefined) error.lastId = lastId
      throw error
    }
  }

  /** Yields this page and every later page. */
  async *pages(): AsyncGenerator<Page<T>, void, void> {
    yield this
    for (let page = await this.next(); page !== null; page = await page.next()) yield page
  }

  /** Yields the items on this page and on every later page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for await (const page of this.pages()) yield* page.data
  }
}

/**
 * `await` a list for the first page, or iterate over the list for every item. A list sends no
 * request until then.
 */
export class List<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #source: ListSource<T>
  #first: Promise<ApiResponse<Page<T>>> | undefined

  constructor(source: ListSource<T>) {
    this.#source = source
  }

  /** Requests the first page once. `limit` applies unless the caller chose a limit. */
  #open(limit?: number): Promise<ApiResponse<Page<T>>> {
    this.#first ??= this.#ask(limit)
    return this.#first
  }

  async #ask(limit?: number): Promise<ApiResponse<Page<T>>> {
    const { query } = this.#source
    const source =
      limit === undefined || query.limit !== undefined
        ? this.#source
        : { ...this.#source, query: { ...query, limit } }
    const answered = await source.ask(source.query)
    const page = new Page(answered.data, answered.requestId, source)
    return { ...answered, data: page as Result<Page<T>> }
  }

  async #page(): Promise<Page<T>> {
    return (await this.#open()).data
  }

  // oxlint-disable-next-line unicorn/no-thenable -- `await` returns the first page
  then<A = Page<T>, B = never>(
    done?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    // oxlint-disable-next-line promise/no-callback-in-promise -- `then` receives callbacks
    return this.#page().then(done, failed)
  }

  catch<B = never>(
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<Page<T> | B> {
    return this.#page().catch(failed)
  }

  finally(done?: (() => void) | null): Promise<Page<T>> {
    return this.#page().finally(done)
  }

  /** The first page, with its request ID and response. */
  withResponse(): Promise<ApiResponse<Page<T>>> {
    return this.#open()
  }

  /** Yields every page. */
  async *pages(): AsyncGenerator<Page<T>, void, void> {
    yield* (await this.#open(pageMax)).data.pages()
  }

  /** Yields every item, and requests pages as needed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for await (const page of this.pages()) yield* page.data
  }

  /** Returns the first `max` items, or fewer if the list is shorter. */
  async toArray({ max }: { max: number }): Promise<T[]> {
    if (!Number.isInteger(max) || max < 1) {
      throw new TypeError('toArray needs { max }: the maximum number of items to load')
    }
    const items: T[] = []
    for (
      let page: Page<T> | null = (await this.#open(Math.min(max, pageMax))).data;
      page !== null;
      page = items.length < max ? await page.next() : null
    ) {
      items.push(...page.data.slice(0, max - items.length))
    }
    return items
  }
}
