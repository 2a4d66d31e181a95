// Loads the commands of the first word only, so that a start costs what it uses.

import type { Command } from 'commander'
import type { Context, GlobalFlags } from './context.ts'

/** Registers commands of one family. `open` gives the context when one of them runs. */
export type Family = (parent: Command, open: OpenContext) => void | Promise<void>
export type OpenContext = (command: Command) => Context

export const globalOptions: readonly (readonly [flags: string, description: string])[] = [
  ['--profile <name>', 'another profile of the settings'],
  ['--json', "the API's own JSON; the same as --format json"],
  ['--jq <expression>', 'what a jq expression makes of the JSON'],
  ['--format <name>', 'table, json, jsonl, yaml or ids'],
  ['--fields <a,b>', 'these members alone'],
  ['--quiet', 'no talk on stderr'],
  ['--verbose', 'each exchange with the API on stderr'],
  ['--no-color', 'no color'],
  ['--timeout <duration>', 'how long one attempt may take (30s)'],
  ['--idempotency-key <key>', 'the key of a write, to repeat it safely'],
  ['--base-url <address>', 'the address of the API'],
  ['--token-store <where>', 'keychain, file or none'],
  ['-y, --yes', 'do not ask'],
  ['--show-phi', 'show patient fields in tables of live mode'],
]

export const flagsOf = (command: Command): GlobalFlags => command.optsWithGlobals()
