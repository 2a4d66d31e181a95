// The browser that the tests use.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'

test('browser: its font settings name a folder with fonts, because it crashes without any', () => {
  const file = process.env['FONTCONFIG_FILE']
  // An installed browser finds its own.
  if (file === undefined) return
  const folders = [...readFileSync(file, 'utf8').matchAll(/<dir>(.*)<\/dir>/g)]
  const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const names = folders.flatMap(([, folder = '']) => filesIn(folder))
  expect(names.filter(name => /\.(otf|ttf)$/.test(name))).not.toEqual([])
})
