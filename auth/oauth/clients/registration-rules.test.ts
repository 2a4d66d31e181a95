// Tests what a registration or a client's document may contain, and what the server stores.

import { describe, expect, test } from 'bun:test'
import { allScopes } from '#contract/scopes.ts'
import { OAuthRefusal } from '../refuse.ts'
import { checkedMetadata } from './registration.ts'

const uri = 'https://agent.example.com/cb'
const device = 'urn:ietf:params:oauth:grant-type:device_code'
const all = allScopes.join(' ')

function faultOf(body: unknown): [code: string, description: string] {
  try {
    checkedMetadata(body)
  } catch (failure) {
    if (failure instanceof OAuthRefusal) return [failure.code, failure.description]
    throw failure
  }
  return ['none', '']
}

const named = 'client_name must be visible text of 1 to 200 characters, without control characters'
const wrong = [1, 'x', {}, [1], true]
const noText = 'text must not contain NUL or an unpaired surrogate'

describe('a registration is refused', () => {
  test.each([[null], [[]], ['x'], [1]])('if it isn’t an object: %j', body => {
    expect(faultOf(body)).toEqual(['invalid_client_metadata', 'the body must be a JSON object'])
  })

  test.each<[members: Record<string, unknown>, description: string]>([
    [{ software_id: 'a\u0000' }, noText],
    [{ software_id: 'a\uD800b' }, noText],
    [{ token_endpoint_auth_method: 1 }, 'token_endpoint_auth_method must be a string'],
    ...['grant_types', 'response_types'].flatMap(name =>
      wrong.map(each => [{ [name]: each }, `${name} must be an array of strings`] as [{}, string]),
    ),
    [{ client_name: 1 }, named],
    [{ client_name: 'x'.repeat(201) }, named],
    [{ client_name: '\u{1F600}'.repeat(201) }, named],
    [{ client_name: ' \u00A0' }, named],
    [{ client_name: 'a\nb' }, named],
    [{ client_name: 'a\u2028b' }, named],
    [{ client_name: 'evil\u202Eelgoog' }, named],
    [{ client_name: '\u200B\u2060' }, named],
    [{ client_name: '\u3164\u2800\u{E0041}' }, named],
    [{ scope: 1 }, 'scope must be a string'],
    [{ client_uri: 1 }, 'client_uri must be a string'],
    [{ logo_uri: 1 }, 'logo_uri must be a string'],
    [{ software_id: 1 }, 'software_id must be a string'],
    [{ software_version: 1 }, 'software_version must be a string'],
  ])('for its metadata: %j', (members, description) => {
    expect(faultOf({ redirect_uris: [uri], ...members })).toEqual([
      'invalid_client_metadata',
      description,
    ])
  })

  test.each<[members: Record<string, unknown>, description: string]>([
    [{}, 'redirect_uris must have at least one entry'],
    [{ redirect_uris: [] }, 'redirect_uris must have at least one entry'],
    [{ redirect_uris: uri }, 'redirect_uris must be an array'],
    [
      { redirect_uris: Array.from({ length: 11 }, (_, at) => `${uri}${at}`) },
      'redirect_uris must not have more than 10 entries',
    ],
    [
      { redirect_uris: [uri, `${uri}#x`] },
      'each entry in redirect_uris must not contain a fragment',
    ],
    [
      { redirect_uris: ['com.example.app:/cb'] },
      'redirect_uris must use https, or application_type must be native',
    ],
    [
      {
        redirect_uris: ['https://localhost/cb', 'com.example.app:/cb'],
        application_type: 'native',
      },
      'redirect_uris must not mix https at a loopback address with private-use schemes',
    ],
  ])('for its redirect URIs: %j', (members, description) => {
    expect(faultOf(members)).toEqual(['invalid_redirect_uri', description])
  })
})

describe('a registration is stored', () => {
  const plain = checkedMetadata({ redirect_uris: [uri] })
  test.each([
    ...['client_secret_post', 'client_secret_basic', 'private_key_jwt', 'x'].map(method => ({
      token_endpoint_auth_method: method,
    })),
    { grant_types: ['client_credentials'] },
    { grant_types: ['implicit', 'authorization_code', 'password'] },
    { grant_types: ['refresh_token'] },
    { grant_types: [] },
    { response_types: ['code', 'token', 'id_token token'] },
    { response_types: [] },
    { x: 'a\u0000', jwks_uri: 7, contacts: null },
    Object.fromEntries(
      Object.keys(plain).map(name => [name, name === 'redirect_uris' ? [uri] : null]),
    ),
    { client_uri: null, logo_uri: null, software_id: null, software_version: null },
  ])('with supported values in place of unsupported ones: %j', members => {
    expect(checkedMetadata({ redirect_uris: [uri], ...members })).toEqual(plain)
  })

  test('with defaults for omitted fields, and without unknown ones', () => {
    expect(checkedMetadata({ redirect_uris: [uri, uri], jwks: {} })).toEqual({
      client_name: 'agent.example.com',
      redirect_uris: [uri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
      scope: all,
    })
    expect(checkedMetadata({ grant_types: [device] })).toEqual({
      client_name: 'device',
      redirect_uris: [],
      grant_types: [device, 'refresh_token'],
      response_types: [],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
      scope: all,
    })
  })

  test('with the start of a long host as its name', () => {
    const long = Array(4).fill('a'.repeat(62)).join('.')
    const made = checkedMetadata({ redirect_uris: [`https://${long}/cb`] })
    expect(made.client_name).toBe(long.slice(0, 200))
  })

  test('with its values unchanged', () => {
    const given = {
      client_name: 'Ada’s agent',
      redirect_uris: ['com.example.app:/cb', 'http://localhost/cb'],
      grant_types: ['refresh_token', device, 'authorization_code'],
      response_types: ['code'],
      application_type: 'native',
      scope: 'openid cases:read patients:read',
      client_uri: 'https://agent.example.com',
      logo_uri: 'https://agent.example.com/logo.png',
      software_id: 'agent',
      software_version: '1.2',
    }
    expect(checkedMetadata({ ...given, token_endpoint_auth_method: 'none' })).toEqual({
      ...given,
      grant_types: [device, 'authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      scope: 'patients:read cases:read',
    })
  })

  test.each<[given: unknown, uris: string[], name: string]>([
    [undefined, ['http://127.0.0.1:8976/cb'], '127.0.0.1:8976'],
    ['', [uri], 'agent.example.com'],
    [undefined, ['com.example.app:/cb'], 'app'],
    ['x', [uri], 'x'],
    ['x'.repeat(200), [uri], 'x'.repeat(200)],
    ['\u{1F600}'.repeat(200), [uri], '\u{1F600}'.repeat(200)],
  ])('under the name %j', (client_name, redirect_uris, name) => {
    const given = { client_name, redirect_uris, application_type: 'native' }
    expect(checkedMetadata(given).client_name).toBe(name)
  })

  test.each([
    ['', all],
    ['openid', all],
    ['patients:read', 'patients:read'],
  ])('with the scopes from %j', (scope, stored) => {
    expect(checkedMetadata({ redirect_uris: [uri], scope }).scope).toBe(stored)
  })

  test('with ten redirect URIs', () => {
    const redirect_uris = Array.from({ length: 10 }, (_, at) => `${uri}${at}`)
    expect(checkedMetadata({ redirect_uris }).redirect_uris).toEqual(redirect_uris)
  })
})
