// Loads only the first word's commands, to keep startup fast.

import type { Argument, Command } from 'commander'
import type { Context, GlobalFlags } from './context.ts'

/** Registers one family's commands. `open` returns the context when one of its commands runs. */
export type Family = (parent: Command, open: OpenContext) => void | Promise<void>
export type OpenContext = (command: Command) => Context

export const globalOptions: readonly (readonly [flags: string, description: string])[] = [
  ['--profile <name>', 'use another profile'],
  ['--organization <id>', 'act for this clinic'],
  ['--json', "print the API's own JSON; short for --format json"],
  ['--jq <expression>', 'filter the JSON with a jq expression'],
  ['-o, --output <format>', 'same as --format'],
  ['--format <format>', 'table, json, jsonl, yaml, csv or ids'],
  ['--fields <a,b>', 'print only these fields'],
  ['--quiet', 'print no messages on stderr'],
  ['--verbose', 'print each request on stderr'],
  ['--no-color', 'print no colors'],
  ['--timeout <duration>', 'time limit for each attempt (30s)'],
  ['-H <name: value>', 'add a request header; repeatable'],
  ['--idempotency-key <key>', 'use this key for a write, to repeat it safely'],
  ['--base-url <url>', 'API URL'],
  ['--token-store <where>', 'keychain, file or none'],
  ['-y, --yes', "don't ask for confirmation"],
  ['--show-phi', 'show patient fields in live mode tables'],
]

/** Collects the values of a repeatable option. */
export const several = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
]

export const flagsOf = (command: Command): GlobalFlags => command.optsWithGlobals()

const prefixes = new WeakMap<Argument, string>()

/** Adds an ID argument, which completes from IDs already shown in a terminal. */
export function withId(command: Command, name: string, prefix: string): Command {
  command.argument(`<${name}>`, `an ID that starts with ${prefix}_`)
  const added = command.registeredArguments.at(-1)
  if (added) prefixes.set(added, prefix)
  return command
}

export const prefixOf = (argument: Argument): string | undefined => prefixes.get(argument)
