// Lines that must not appear in a file, each with its alternative.
import { isCode, isTest, isTesting, lines, type Rule } from './files.ts'
import { owners } from './owners.ts'

/** A rule about lines: the files, the forbidden text, and the alternative. */
function forbid(
  name: string,
  applies: (file: string) => boolean,
  pattern: RegExp,
  fix: string,
): Rule {
  return { name, check: file => (applies(file.path) ? lines(file, pattern, fix) : []) }
}

const ownedBy = (list: string[]) => (file: string) =>
  isCode(file) && !isTest(file) && !isTesting(file) && !list.includes(file)

const anyText = (file: string) => !file.startsWith('tidy/')

export const forbiddenLines: Rule[] = [
  forbid(
    'environment: read in one file',
    ownedBy(owners.environment),
    /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/,
    'add the setting to gateway/settings/config.ts and take it as an argument',
  ),
  forbid(
    'time and randomness: read in one file',
    file => ownedBy(owners.timeAndChance)(file) && !file.startsWith('deploy/'),
    /\bDate\.now\(\)|\bMath\.random\(\)|\bnew Date\(\)/,
    'take the time or the bytes as an argument; database/clock.ts hands them out',
  ),
  forbid(
    'catching: only where something can be done about it',
    file => ownedBy(owners.catching)(file) && !/^(deploy|e2e|bench|clients)\//.test(file),
    /\bcatch\s*(\(\w+(: unknown)?\)\s*)?\{/,
    'let it propagate to where failures become responses; if this file must catch, add it to owners.catching in tidy/owners.ts with its reason',
  ),
  forbid(
    'network: inside clinical/ only in listed files',
    file => file.startsWith('clinical/') && ownedBy(owners.network)(file),
    /\bfetch\(|\bnew WebSocket\(|from 'node:(http|https|http2|net|tls|dns|dgram)'/,
    'store the work and let a job make the call after the commit',
  ),
  forbid(
    'cookies: read only where sessions are kept',
    file => /^(http|clinical|booking|gateway|mcp)\//.test(file) && ownedBy(owners.cookies)(file),
    /['"](set-)?cookie['"]/i,
    'the site and the API have no sessions: ask http/origins/own-origin.ts',
  ),
  forbid(
    'modes: live differs from test only in clinical/modes.ts',
    file =>
      /^(clinical|gateway|auth|mcp|portal|console)\//.test(file) &&
      !isTest(file) &&
      !isTesting(file) &&
      file !== 'clinical/modes.ts',
    /\bif \(.*\bmode ?[!=]==? ?'(live|test)'/,
    'put the difference into clinical/modes.ts under a name, and use that name here',
  ),
  forbid(
    'citations: a comment cites only what a reader can open',
    file => (isCode(file) || file.endsWith('.sql')) && anyText(file),
    /(\/\/|\*|--).*(\bcontract\/\d\d\b|[( ][CPRSW]\d{1,2}[,.;:)]|\bT-[A-Z]{2}-\d|, section \d+ of the paper)/,
    'name a file of this repository, an RFC or a public issue',
  ),
  forbid(
    'no promises in comments',
    anyText,
    /\b(TODO|FIXME|XXX)\b/,
    'do it now, or put it into an issue',
  ),
  forbid(
    'no code in comments',
    file => isCode(file) && anyText(file),
    /^\s*\/\/\s*(import .* from '|export (const|function|type) |(const|let) \w+ = |return \w+\(|if \(.*\) \{$|await \w+\()/,
    'delete it; the history remembers',
  ),
  forbid(
    'no registry or machine is named',
    anyText,
    /registry\.(npmjs|yarnpkg)|files\.pythonhosted|pypi\.org\/simple|(^|[^\w/.-])\/(work|farm|root)\//,
    'the machine chooses its registry and its folders: write a relative path, or nothing',
  ),
  forbid('merging: no conflict markers', anyText, /^(<{7}|>{7}) /, 'resolve the conflict'),
  forbid(
    'the lock file has no URLs',
    file => file === 'bun.lock',
    /"https?:\/\//,
    'install again with the default registry; an address here ties everybody to one mirror',
  ),
  forbid(
    'no test is skipped',
    file => isTest(file) && anyText(file),
    /\b(test|describe|it)\.(only|skip|todo)\(/,
    'make it pass, or delete it; test.skipIf() is for what a machine may lack',
  ),
  forbid(
    'waiting: a test waits for a condition, and never for a time',
    file =>
      anyText(file) &&
      (isTest(file) || isTesting(file) || file.startsWith('e2e/')) &&
      !/^(http\/testing\/(until|drip)|e2e\/until)\.ts$/.test(file),
    /\bBun\.sleep\(|(?<!\.)\bsetTimeout\(|\bwaitForTimeout\(|timers\/promises/,
    'use `until` (http/testing/until.ts), or `untilPaused` for anything that pauses between attempts',
  ),
  forbid(
    'waiting: a promise’s expectation is awaited',
    file => isTest(file),
    /^\s*expect\(.*\)\.(rejects|resolves)\./,
    'await it: a rejection after the test ends isn’t reported',
  ),
  forbid(
    'patterns: none folds case beyond ASCII',
    file => isCode(file) && anyText(file),
    /\/[dgmsy]*(i[dgmsy]*[uv]|[uv][dgmsy]*i)[dgmsy]*(?=[.,;)\]\s]|$)/,
    'with the flags i and u, k is also the Kelvin sign and s the long s: write both cases',
  ),
  forbid(
    'no path aliases',
    file => /tsconfig.*\.json$/.test(file),
    /"paths"/,
    'use #module/file.ts',
  ),
]
