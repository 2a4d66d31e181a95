// Every metric with its kind, labels and help text.

type Kind = 'counter' | 'gauge' | 'histogram'
type Described = { kind: Kind; labels: readonly string[]; help: string }

export const families = {
  telehealth_requests_total: {
    kind: 'counter',
    labels: ['status'],
    help: 'Requests served by the gateway, by status class.',
  },
  telehealth_request_seconds: {
    kind: 'histogram',
    labels: ['operation', 'status'],
    help: 'Time to respond to an API operation, by status class. Excludes pages and files.',
  },
  telehealth_pool_wait_seconds: {
    kind: 'histogram',
    labels: ['pool'],
    help: 'Wait for a database connection, for calls that had to wait.',
  },
  telehealth_event_loop_delay_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'Longest event loop delay since the last scrape.',
  },
  telehealth_memory_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Resident memory of the process.',
  },
  telehealth_mail_oldest_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'Age of the oldest queued email, or 0 if none is queued.',
  },
  telehealth_backup_age_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'Time since the last recorded backup. Absent before the first one.',
  },
  telehealth_disk_available_bytes: {
    kind: 'gauge',
    labels: [],
    help: 'Free bytes on the disk that holds DATA_DIR.',
  },
  telehealth_certificate_end_timestamp_seconds: {
    kind: 'gauge',
    labels: ['certificate'],
    help: 'When a certificate the platform serves or trusts expires, by the setting that points to it.',
  },
  telehealth_realtime_messages_total: {
    kind: 'counter',
    labels: ['mode'],
    help: 'Messages sent to realtime subscribers.',
  },
  telehealth_realtime_lag_seconds: {
    kind: 'histogram',
    labels: ['mode'],
    help: "Time from an event's commit to its message to realtime subscribers.",
  },
  telehealth_realtime_subscribers: {
    kind: 'gauge',
    labels: [],
    help: 'Realtime subscribers connected to this gateway.',
  },
  telehealth_room_pages: {
    kind: 'gauge',
    labels: [],
    help: 'Browser pages connected to a video room.',
  },
  telehealth_realtime_dropped_total: {
    kind: 'counter',
    labels: [],
    help: 'Messages dropped because the realtime provider rejected them.',
  },
  telehealth_prescriptions_stopped_total: {
    kind: 'counter',
    labels: [],
    help: "Prescriptions that a pharmacy didn't accept and that aren't sent again on their own.",
  },
  telehealth_job_failures_total: {
    kind: 'counter',
    labels: ['job'],
    help: 'Failed runs of a background job. Jobs are retried automatically.',
  },
  telehealth_webhook_attempts_total: {
    kind: 'counter',
    labels: ['mode', 'outcome', 'error'],
    help: 'Recorded delivery attempts, by outcome and, for failed ones, by error.',
  },
  telehealth_webhook_attempt_seconds: {
    kind: 'histogram',
    labels: ['mode'],
    help: 'Duration of delivery attempts, from address lookup to response status.',
  },
  telehealth_webhook_first_attempt_lag_seconds: {
    kind: 'histogram',
    labels: ['mode'],
    help: "Time from an event's commit to the start of its first delivery attempt.",
  },
  telehealth_webhook_interrupted_total: {
    kind: 'counter',
    labels: ['mode'],
    help: "Attempts this worker started but didn't record. They are repeated.",
  },
  telehealth_webhook_lease_expired_total: {
    kind: 'counter',
    labels: ['mode'],
    help: 'Deliveries this worker claimed after their lease expired without a record.',
  },
  telehealth_webhook_disabled_total: {
    kind: 'counter',
    labels: ['mode'],
    help: 'Endpoints disabled after too many consecutive failed events.',
  },
  telehealth_unread_tenants: {
    kind: 'gauge',
    labels: ['mode'],
    help: "Tenants with events that haven't been turned into deliveries yet.",
  },
  telehealth_unread_oldest_seconds: {
    kind: 'gauge',
    labels: ['mode'],
    help: 'Age of the oldest event not yet turned into deliveries, or 0 without one.',
  },
  telehealth_webhook_due: {
    kind: 'gauge',
    labels: ['mode'],
    help: "Deliveries whose next attempt is due but hasn't started.",
  },
  telehealth_webhook_pending: {
    kind: 'gauge',
    labels: ['mode'],
    help: 'Deliveries that are neither delivered nor failed, due or not.',
  },
  telehealth_webhook_oldest_due_seconds: {
    kind: 'gauge',
    labels: ['mode'],
    help: 'How long the oldest due attempt has been overdue, or 0 if none is due.',
  },
  telehealth_table_dead_rows: {
    kind: 'gauge',
    labels: ['mode', 'table'],
    help: 'Dead rows of a frequently updated table, as estimated by PostgreSQL.',
  },
  telehealth_table_live_rows: {
    kind: 'gauge',
    labels: ['mode', 'table'],
    help: 'Live rows of a frequently updated table, as estimated by PostgreSQL.',
  },
  telehealth_table_vacuum_age_seconds: {
    kind: 'gauge',
    labels: ['mode', 'table'],
    help: "Time since the table's last vacuum, or since PostgreSQL started if there was none.",
  },
  telehealth_database_oldest_transaction_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'Age of the oldest open transaction in this database, or 0 without one.',
  },
  telehealth_database_oldest_xmin_transactions: {
    kind: 'gauge',
    labels: [],
    help: 'Age, in transactions, of the oldest snapshot holding back vacuum.',
  },
  telehealth_online_job_done_ratio: {
    kind: 'gauge',
    labels: ['job'],
    help: 'Progress of an index build or backfill, from 0 to 1; for an index, of its current phase.',
  },
  telehealth_online_job_failing: {
    kind: 'gauge',
    labels: ['job'],
    help: 'Whether the last attempt at an index build or backfill failed: 1 or 0.',
  },
  telehealth_wal_archive_failing: {
    kind: 'gauge',
    labels: [],
    help: 'Whether the last attempt to archive a WAL file failed: 1 or 0.',
  },
  telehealth_wal_archive_oldest_waiting_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'Age of the oldest WAL file not yet archived, or 0 without one.',
  },
  telehealth_replica_lag_bytes: {
    kind: 'gauge',
    labels: ['replica'],
    help: "WAL that a connected replica hasn't replayed yet.",
  },
  telehealth_idle_slot_retained_bytes: {
    kind: 'gauge',
    labels: ['slot'],
    help: 'WAL kept on disk for a replication slot without a consumer.',
  },
} as const satisfies Record<string, Described>

export type Family = keyof typeof families
export type FamilyOf<K extends Kind> = {
  [Name in Family]: (typeof families)[Name]['kind'] extends K ? Name : never
}[Family]
