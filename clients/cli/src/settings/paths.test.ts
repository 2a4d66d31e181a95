// The settings and data folders on each system.

import { expect, test } from 'bun:test'
import { besideConfig, configFile, dataFolder } from './paths.ts'

const unix = { home: '/home/ada', platform: 'linux' } as const
const windows = { home: 'C:\\Users\\ada', platform: 'win32' } as const

test('each system’s settings folder, unless SVC_CONFIG names another', () => {
  const files = [
    configFile({ ...unix, environment: {} }),
    configFile({ ...unix, environment: { XDG_CONFIG_HOME: '/x' } }),
    configFile({ ...unix, platform: 'darwin', environment: {} }),
    configFile({ ...windows, environment: { APPDATA: 'D:\\Roaming' } }),
    configFile({ ...windows, environment: {} }),
    configFile({ ...windows, environment: { SVC_CONFIG: 'E:\\svc.toml' } }),
  ]
  expect(files).toEqual([
    '/home/ada/.config/svc/config.toml',
    '/x/svc/config.toml',
    '/home/ada/.config/svc/config.toml',
    'D:\\Roaming\\svc\\config.toml',
    'C:\\Users\\ada\\AppData\\Roaming\\svc\\config.toml',
    'E:\\svc.toml',
  ])
})

test('other files are in the same folder, even for a path with backslashes', () => {
  expect(besideConfig('E:\\a\\config.toml', 'credentials.json', 'win32')).toBe(
    'E:\\a\\credentials.json',
  )
  expect(besideConfig('/a/config.toml', 'credentials.json', 'linux')).toBe('/a/credentials.json')
})

test('each system’s data folder', () => {
  const folders = [
    dataFolder({ ...unix, environment: {} }),
    dataFolder({ ...unix, environment: { XDG_DATA_HOME: '/x' } }),
    dataFolder({ ...windows, environment: {} }),
    dataFolder({ ...windows, environment: { LOCALAPPDATA: 'D:\\Local' } }),
  ]
  expect(folders).toEqual([
    '/home/ada/.local/share/svc',
    '/x/svc',
    'C:\\Users\\ada\\AppData\\Local\\svc',
    'D:\\Local\\svc',
  ])
})
