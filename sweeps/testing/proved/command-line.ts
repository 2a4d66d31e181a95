// The guide to the command line, each with its test.
import type { Proofs } from '../proof.ts'

export const commandLine: Proofs = {
  'docs/cli.md': [
    [
      "A project's file must not hold a secret, and is refused if it does",
      'clients/cli/output.suite.ts',
      'a project file with a secret is refused, and its value not shown',
    ],
    [
      'Each event is posted once, in order',
      'clients/cli/listen.suite.ts',
      'posts each event once, in order, signed, and as the API returns it',
    ],
    [
      'a file that only you can read keeps it',
      'clients/cli/login.suite.ts',
      'a key comes from standard input, is tried first, and is kept for its owner alone',
    ],
    [
      'With `--json` a refusal is the problem of the API on standard error, and standard output stays empty',
      'clients/cli/output.suite.ts',
      'a refusal with --json is a problem on stderr, and stdout is empty',
    ],
    [
      'The login reaches test mode only, and is approved whole or not at all; `--scopes` asks for less than everything',
      'clients/cli/waiting.suite.ts',
      'login: approved in the browser it works, is renewed when it ends, and logout revokes it',
    ],
    [
      'never from the command line, where the history of the shell would keep it',
      'clients/cli/login.suite.ts',
      'a key comes from standard input, is tried first, and is kept for its owner alone',
    ],
    [
      'In CI, set `SVC_API_KEY` and log in nowhere',
      'clients/cli/login.suite.ts',
      'with SVC_API_KEY set there is nothing to do, and token_store none keeps nothing',
    ],
    [
      '`svc doctor` checks the address, the clock, the login, its scopes and the realtime channel',
      'clients/cli/sandbox.suite.ts',
      'doctor checks the way to the API, and fails with 9 where it ends',
    ],
    [
      'Every operation is a command',
      'clients/cli/commands.suite.ts',
      'each operation of the API and of the preview has one, with its example',
    ],
    [
      '`--help` lists the fields with their types, an example that runs',
      'clients/cli/commands.suite.ts',
      'each example runs as its help prints it',
    ],
    [
      '`--secret @file` keeps one secret across starts',
      'clients/cli/listen.suite.ts',
      'a secret can be kept in a file; addresses elsewhere and live keys need a flag',
    ],
    [
      'it says how many events it missed; with `--backfill` it posts them, marked `↻`',
      'clients/cli/waiting.suite.ts',
      'listen: what a lost connection missed is counted, or filled in order and once',
    ],
    [
      '`svc webhooks verify` tells whether a body was signed with a secret, and if not, why',
      'clients/cli/sandbox.suite.ts',
      'what sign signs, verify accepts, and each fault has its reason',
    ],
    [
      'so `svc docs` needs no network',
      'clients/cli/sandbox.suite.ts',
      'explain, docs, openapi, postman, map, open and completion work without a login',
    ],
    [
      'A pipe gets no color and no question',
      'clients/cli/output.suite.ts',
      'a pipe that closes early is no failure, and gets no color',
    ],
    [
      '`--format` is `table`, `json`, `jsonl`, `yaml` or `ids`',
      'clients/cli/output.suite.ts',
      '--json is what the API answers; jsonl, ids, yaml, --fields and --jq come from it',
    ],
    [
      'In live mode tables shorten what says who a patient is',
      'clients/cli/src/output/mask.test.ts',
      'masked: what says who a patient is is shortened at any depth, and ids and states stay',
    ],
    [
      'A flag counts before the environment, then `./.svc.toml` of the project, the profile, and the default',
      'clients/cli/output.suite.ts',
      'flag, environment, project, profile and default count in this order',
    ],
    [
      '`--ephemeral` gives it a database of its own',
      'clients/cli/dev.suite.ts',
      'starts a platform for one command, ends with its code, and leaves nothing',
    ],
    [
      'starts without the network, and later `svc dev` finds it there',
      'clients/cli/dev.suite.ts',
      'a packed platform is unpacked once, and starts without a network',
    ],
    [
      '| 3 | the API refused; the code is on standard error |',
      'clients/cli/output.suite.ts',
      'each says what went wrong, and then nothing is on stdout',
    ],
    [
      '`--print` shows it as JSON, which you can edit and play with `--file`',
      'clients/cli/sandbox.suite.ts',
      'a scenario of your own that is not as expected ends with 9 and says where',
    ],
    [
      '`--print` shows it as JSON, which you can edit and play with `--file`',
      'clients/cli/sandbox.suite.ts',
      'a scenario that is printed can be changed and played',
    ],
    [
      'A scenario is a list of calls with what each must answer',
      'clients/cli/sandbox.suite.ts',
      'a scenario of your own that is not as expected ends with 9 and says where',
    ],
    [
      '`decline`, `message`, `block`, `fail`, `visit start`, `autopilot` and `reset` are beside them',
      'clients/cli/sandbox.suite.ts',
      'moves, the clock, the autopilot, a seed and a reset',
    ],
    [
      "`-d address.city=Austin` reaches into an object, `-d 'answers[0].answer=…'` into a list, and `event_types=a,b` fills a list of words",
      'clients/cli/src/operations/body.test.ts',
      '-d reaches into an object and into a list, and fills a list of words',
    ],
    [
      '`--data @file.json` and `--data @-` read the body from a file or from standard input',
      'clients/cli/src/operations/body.test.ts',
      '--data reads a file, and -d counts before it',
    ],
    [
      'and a signature under the secret that is printed',
      'clients/cli/listen.suite.ts',
      'posts each event once, in order, signed, and as the API returns it',
    ],
    [
      "`--events 'case.*,order.*'` chooses types",
      'clients/cli/listen.suite.ts',
      'posts each event once, in order, signed, and as the API returns it',
    ],
    [
      'It runs for hours: tokens are renewed before they end',
      'clients/cli/waiting.suite.ts',
      'listen: a token that ends is renewed beforehand, and no event is lost or doubled',
    ],
    [
      '`svc logs get` and `svc explain` take the `Request-Id` of any call',
      'clients/cli/waiting.suite.ts',
      'logs: get, tail and explain show what a request did',
    ],
    [
      'Standard output is data, and standard error is talk',
      'clients/cli/output.suite.ts',
      'each says what went wrong, and then nothing is on stdout',
    ],
    [
      'A list is one page, and says when there is more',
      'clients/cli/output.suite.ts',
      '--json is what the API answers; jsonl, ids, yaml, --fields and --jq come from it',
    ],
    [
      'A write takes `--idempotency-key`, so that a script can repeat it',
      'clients/cli/sandbox.suite.ts',
      'a file is reserved, sent and confirmed; a repeated key brings the first answer',
    ],
    [
      '| 2 | wrong use: an unknown flag, a missing argument |',
      'clients/cli/output.suite.ts',
      'each says what went wrong, and then nothing is on stdout',
    ],
    [
      '| 4 | not logged in, or the credential ended |',
      'clients/cli/output.suite.ts',
      'each says what went wrong, and then nothing is on stdout',
    ],
    [
      '| 5 | not permitted: scope, mode or grant |',
      'clients/cli/waiting.suite.ts',
      'login: approved in the browser it works, is renewed when it ends, and logout revokes it',
    ],
    [
      '| 6 | not found |',
      'clients/cli/output.suite.ts',
      'each says what went wrong, and then nothing is on stdout',
    ],
    [
      '| 7 | rate limited, also after retries |',
      'clients/cli/output.suite.ts',
      'each says what went wrong, and then nothing is on stdout',
    ],
    [
      '| 8 | the API failed, or could not be reached |',
      'clients/cli/output.suite.ts',
      'each says what went wrong, and then nothing is on stdout',
    ],
    [
      '| 9 | a check failed: `webhooks verify`, `doctor`, a scenario |',
      'clients/cli/sandbox.suite.ts',
      'what sign signs, verify accepts, and each fault has its reason',
    ],
    ['| 130 | interrupted |', 'clients/cli/output.suite.ts', '130: Ctrl-C ends what waits'],
    [
      'so the `DATABASE_URL` of your project stays yours',
      'clients/cli/dev.suite.ts',
      'starts a platform for one command, ends with its code, and leaves nothing',
    ],
    [
      'it is unpacked into your data folder, starts without the network, and later `svc dev` finds it there',
      'clients/cli/dev.suite.ts',
      'a packed platform is unpacked once, and starts without a network',
    ],
    [
      'It is kept in the keychain of your system',
      'clients/cli/login.suite.ts',
      'a keychain that answers has the key, and the file a mark, until logout',
    ],
    [
      'It shows a code and opens the page where a member of your integration confirms it',
      'clients/cli/waiting.suite.ts',
      'login: approved in the browser it works, is renewed when it ends, and logout revokes it',
    ],
    [
      '| 0 | done |',
      'clients/cli/output.suite.ts',
      'each says what went wrong, and then nothing is on stdout',
    ],
    [
      '| 1 | the program itself failed |',
      'clients/cli/output.suite.ts',
      'each says what went wrong, and then nothing is on stdout',
    ],
    [
      'In a checkout of the platform, `svc dev` starts all of it on your machine',
      'clients/cli/dev.suite.ts',
      'starts a platform for one command, ends with its code, and leaves nothing',
    ],
    [
      'its packages are in it',
      'clients/cli/dev.suite.ts',
      'a packed platform is unpacked once, and starts without a network',
    ],
    [
      '`--data @file.json` and `--data @-` read the body from a file or from standard input',
      'clients/cli/output.suite.ts',
      '--data @- reads the body from standard input, and -d counts before it',
    ],
    [
      '`svc events resend` delivers an event to your endpoints again.',
      'clients/cli/commands.suite.ts',
      'each operation of the API and of the preview has one, with its example',
    ],
  ],
}
