// Who may do what in this house; tidy.test.ts enforces it. A name is added here with its reason.

/** Who may import whom. A single file behind a door is written out. */
export const doors: Record<string, string[]> = {
  contract: [],
  database: [],
  http: [],
  content: [],
  auth: ['contract', 'database'],
  // The cast of the tests is introduced as an owner of the database would introduce it.
  clinical: [
    'contract',
    'database',
    'auth/principal.ts',
    'auth/door.ts',
    'auth/integrations.ts',
    'http',
  ],
  mcp: ['contract', 'http'],
  portal: ['contract', 'auth'],
  site: ['content', 'contract'],
  gateway: ['contract', 'database', 'http', 'auth', 'clinical', 'mcp', 'portal', 'content'],
  clients: [],
  deploy: [],
  e2e: [],
}

/** A test may ask for a database, whatever room it proves. */
export const testsMayAlsoImport = ['database/testing.ts']

/** Files that may do what the others may not, each for its reason. */
export const owners = {
  environment: [
    'gateway/config.ts', // the settings of the house
    'e2e/browser.ts', // which browser
    'e2e/playwright.config.ts', // where the house says it stands, and the browser it has found
    'deploy/install.mjs', // runs before the house is there: where npm lies
    'deploy/start.mjs', // whether npm started it
    'deploy/test.mjs', // hands its own environment on to each stage
  ],
  network: [
    'clinical/files/s3.ts', // storage is asked while nothing is locked, and never by a write
    'clinical/files/s3-server.ts', // the server that the tests of storage stand up
  ],
  timeAndChance: [
    'database/time-and-chance.ts',
    'content/expiry.ts', // a build leaves out what nobody has checked until today
    'e2e/walk/run.ts', // a walk asks for days from today
    'site/src/signature/page.ts', // whether a signature is stale by the reader's own clock
  ],
  catching: [
    'auth/door.ts', // a stream that was not opened is found out by the statement behind it
    'auth/look.ts', // how tests look a caller up: whole, where the door is shut
    'content/checks/external-links.ts', // a site elsewhere that does not answer is what was asked for
    'content/read.ts', // what the fast parser cannot read goes to the careful one
    'clinical/anonymous.ts', // one row that cannot be written must not keep the others waiting
    'clinical/body.ts', // a body that does not parse is the caller's affair
    'clinical/files/tokens.ts', // a seal that does not open is nobody's fault
    'clinical/files/upload.ts', // a door of its own: what stops an upload becomes its answer
    'clinical/limiter.ts', // the limiter says "exhausted" by rejecting
    'clinical/realtime/reading.ts', // what could not be read is read at the next look around
    'clinical/realtime/token.ts', // what does not parse, or nobody signed, is no token
    'clinical/sandbox/tick.ts', // what the control refuses is not due any more
    'clinical/worker/post.ts', // a receiver that does not answer is an outcome
    'clinical/worker/run.ts', // a job that fails is logged, and runs again
    'clinical/visits/waiting-room.ts', // a patient is told of a failure by a page, not in JSON
    'clinical/perform.ts', // tries a transient failure again; turns a refusal into its answer
    'clinical/perform-read.ts', // a disk that is full has no room for the audit row of a read
    'clinical/perform-write.ts', // a duplicate key is a twin's write, not a fault
    'database/embedded.ts', // a server that does not start is tried again
    'database/lanes.ts', // a lost connection is replaced before the failure goes on
    'database/lock.ts', // SQLite says "held by another" by throwing
    'database/migrate.ts', // rolls back, and names the migration and its line
    'database/native.ts', // a package that is not installed
    'database/postmaster.ts', // a process that ends while it is being looked at
    'database/prompt.ts', // a mistyped statement must not end the prompt
    'database/seal.ts', // a text that no key opens is null, not a failure
    'database/roles.ts', // a password that does not work yet; two gateways at one role
    'gateway/app.ts', // the last net: whatever throws becomes an answer and a line in the log
    'gateway/door/changes.ts', // a body of an earlier version that is not JSON
    'gateway/door/json.ts', // a body that is not JSON
    'gateway/door/parse.ts', // a body that is not JSON is the caller's affair
    'gateway/door.ts', // the last net of the surfaces: a refusal or a failure becomes an answer
    'gateway/site/live-site.ts', // a new build that does not load must not take the old one down
    'gateway/booking/mail/mailer.ts', // a mail that is not accepted waits for its next try
    'gateway/booking/call.ts', // two at one time: the unique index says so by throwing
    'gateway/booking/zones.ts', // a time zone that there is not is said by throwing
    'gateway/problems.ts', // the one place where a failure becomes a body
    'gateway/start.ts', // the outermost: a message for whoever started it
    'gateway/site/static.ts', // a path that is not UTF-8
    'mcp/server.ts', // a body that is not JSON
    'site/src/signature/judge.ts', // what a reader put in may be no JSON, and no base64
    'site/build.ts', // the outermost of the build
    'site/compress.ts', // what lies on another disk cannot be linked, and is copied
  ],
}
