import { expect, test } from 'bun:test'
import { isAllowedOrigin } from './origins.ts'

test('origins: allows programs, encrypted pages, browser extensions and localhost', () => {
  const allowed = [
    null,
    'https://agent.example',
    'http://localhost:6274',
    'http://127.0.0.1:1',
    'http://[::1]:8080',
    'chrome-extension://abcdef',
    'vscode-webview://abcdef',
  ]
  for (const origin of allowed) expect([origin, isAllowedOrigin(origin)]).toEqual([origin, true])
})

test('origins: refuses unencrypted pages and malformed origins', () => {
  const refused = [
    'http://evil.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'null',
    '',
    'http://',
    'localhost:80 x',
  ]
  for (const origin of refused) expect([origin, isAllowedOrigin(origin)]).toEqual([origin, false])
})
