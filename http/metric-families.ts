// Every number that an operator can read, each once: its name, its kind, and what it says.

type Kind = 'counter' | 'gauge' | 'histogram'

export const families = {
  house_requests_total: {
    kind: 'counter',
    help: 'Requests that the gateway answered, by the class of their status.',
  },
  house_realtime_messages_total: {
    kind: 'counter',
    help: 'Messages that were sent to realtime subscribers.',
  },
  house_realtime_lag_seconds: {
    kind: 'histogram',
    help: 'From the commit of an event to its message to realtime subscribers.',
  },
  house_realtime_subscribers: {
    kind: 'gauge',
    help: 'Realtime subscribers that are connected to this gateway.',
  },
  house_realtime_dropped_total: {
    kind: 'counter',
    help: 'Messages that were given up because the realtime provider did not take them.',
  },
  house_job_failures_total: {
    kind: 'counter',
    help: 'Runs of a job of the worker that failed. It runs again by itself.',
  },
  house_webhook_attempts_total: {
    kind: 'counter',
    help: 'Attempts on record, by what became of the delivery, and by why a failed one failed.',
  },
  house_webhook_attempt_seconds: {
    kind: 'histogram',
    help: 'How long attempts took, from the look at the address to the status of the answer.',
  },
  house_webhook_first_attempt_lag_seconds: {
    kind: 'histogram',
    help: 'From the commit of an event to the start of the first attempt to deliver it.',
  },
  house_webhook_interrupted_total: {
    kind: 'counter',
    help: 'Attempts that this worker began and did not record. They are made again.',
  },
  house_webhook_lease_expired_total: {
    kind: 'counter',
    help: 'Deliveries that this worker took up because their lease had run out without a record.',
  },
  house_webhook_disabled_total: {
    kind: 'counter',
    help: 'Endpoints that were disabled after too many failed events in a row.',
  },
  house_outbox_events: {
    kind: 'gauge',
    help: 'Events that were not turned into deliveries yet.',
  },
  house_outbox_oldest_seconds: {
    kind: 'gauge',
    help: 'Since when the oldest event waits to be turned into deliveries; 0 without one.',
  },
  house_webhook_due: {
    kind: 'gauge',
    help: 'Deliveries whose next attempt is due and has not begun.',
  },
  house_webhook_pending: {
    kind: 'gauge',
    help: 'Deliveries that are neither delivered nor failed, due or not.',
  },
  house_webhook_oldest_due_seconds: {
    kind: 'gauge',
    help: 'How late the latest attempt that is due is; 0 when none is due.',
  },
  house_table_dead_rows: {
    kind: 'gauge',
    help: 'Rows of a hot table that are dead and not cleared away, as PostgreSQL estimates them.',
  },
  house_table_live_rows: {
    kind: 'gauge',
    help: 'Rows of a hot table that live, as PostgreSQL estimates them.',
  },
  house_table_vacuum_age_seconds: {
    kind: 'gauge',
    help: 'Since the last vacuum of a hot table, or since PostgreSQL started if there was none.',
  },
  house_database_oldest_transaction_seconds: {
    kind: 'gauge',
    help: 'How long the oldest transaction of this database has been open; 0 without one.',
  },
  house_database_oldest_xmin_transactions: {
    kind: 'gauge',
    help: 'How many transactions ago the oldest snapshot is that vacuum has to spare.',
  },
  house_wal_archive_failing: {
    kind: 'gauge',
    help: 'Whether the last try to archive a file of the log failed: 1, or 0.',
  },
  house_wal_archive_oldest_waiting_seconds: {
    kind: 'gauge',
    help: 'Since when a file of the log waits to be archived; 0 when none waits.',
  },
  house_replica_lag_bytes: {
    kind: 'gauge',
    help: 'How much of the log a connected replica has not replayed.',
  },
  house_idle_slot_retained_bytes: {
    kind: 'gauge',
    help: 'How much of the log is kept on the disk for a replication slot that nobody reads.',
  },
} as const satisfies Record<string, { kind: Kind; help: string }>

export type Family = keyof typeof families
export type FamilyOf<K extends Kind> = {
  [Name in Family]: (typeof families)[Name]['kind'] extends K ? Name : never
}[Family]
