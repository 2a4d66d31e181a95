// A deployment's URLs and people, their browsers, and API calls, for a walk's steps. Every value
// comes from a flag, an environment variable or a file like dev.json.
import { randomUUID } from 'node:crypto'
import type { Browser } from './browser.ts'
import { type Person, signIn } from './people.ts'

export type Answer = { readonly status: number; readonly body: Record<string, unknown> }

export type Role = 'admin' | 'clinician' | 'nurse' | 'pharmacy' | 'records' | 'auditor'

export type ReadSetting = (name: string) => string | undefined

export const personFields = ['email', 'password', 'totp_secret'] as const

/** Shared by walks that run in sequence, so everyone signs in once. */
export class World {
  readonly #given: ReadSetting
  readonly #browsers = new Map<string, Promise<Browser>>()
  /** Included in names, so a walk can find what it created. */
  readonly unique = randomUUID().slice(0, 8)

  constructor(given: ReadSetting) {
    this.#given = given
  }

  text(name: string): string {
    const value = this.#given(name)
    if (value === undefined) throw new Error(`--${name}=… is required.`)
    return value
  }

  #person(name: string): Person {
    const [email = '', password = '', totp_secret = ''] = personFields.map(one =>
      this.text(`${name}.${one}`),
    )
    return { email, password, totp_secret }
  }

  /** A staff member's browser, signed in to the console on their clinic's home page. */
  staff(role: Role): Promise<Browser> {
    return this.#browser(`staff.${role}`, this.text('console_url'))
  }

  /** An owner's browser at the portal. */
  owner(): Promise<Browser> {
    return this.#browser('live_owner', this.text('portal_url'))
  }

  #browser(name: string, url: string): Promise<Browser> {
    const known = this.#browsers.get(name) ?? signIn(url, this.#person(name))
    this.#browsers.set(name, known)
    return known
  }

  /** Opens one of the clinic's pages in the console. */
  async at(role: Role, path: string): Promise<Browser> {
    const browser = await this.staff(role)
    const base = new URL(`/${this.text('live_organization')}`, this.text('console_url'))
    await browser.open(`${base}${path}`)
    return browser
  }

  /** A `/v1` request. Throws unless it has the expected status. */
  async call(key: string, status: number, [method, path, body]: ApiCall): Promise<Answer> {
    const response = await fetch(new URL(path, this.text('url')), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(method !== 'GET' && {
          'idempotency-key': randomUUID(),
          'content-type': 'application/json',
        }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status !== status) {
      throw new Error(`${method} ${path} returned ${response.status}, not ${status}: ${text}`)
    }
    return { status, body: JSON.parse(text) as Answer['body'] }
  }
}

export type ApiCall = readonly [method: string, path: string, body?: object]

export type Step = readonly [name: string, run: (world: World) => Promise<void>]

/** A walk of people through pages and the API. The walk's steps build on each other. */
export type Walk = {
  readonly id: string
  readonly title: string
  readonly about: string
  /** `staff.…` and `live_owner` are people, each with an email address, a password and a secret. */
  readonly needs: readonly string[]
  steps(): readonly Step[]
}

export function must(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new Error(`expected: ${what}`)
}
