// The scenarios of this folder, by name.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Scenario } from './script.ts'

const folder = import.meta.dirname

export const scenarioNames = (): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length))
    .sort()

export const readScenario = (name: string): Scenario =>
  JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as Scenario
