// This folder's scenarios, by name.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import type { Scenario } from './script.ts'

const folder = import.meta.dirname

export const scenarioNames = (): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.yaml'))
    .map(name => name.slice(0, -'.yaml'.length))
    .sort()

export const readScenario = (name: string): Scenario =>
  parse(readFileSync(path.join(folder, `${name}.yaml`), 'utf8')) as Scenario
