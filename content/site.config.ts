/** The only place that knows who we are: a rename is a change of this file and of nothing else. */
export default {
  name: 'Example Health',
  /** What it was called before: no text may say so by accident. */
  formerNames: [] as readonly string[],
  legalName: 'Example Health, Inc.',
  slug: 'svc',
  site: 'https://example.com',
  api: 'https://api.example.com',
  auth: 'https://auth.example.com',
  mcp: 'https://mcp.example.com',
  email: {
    sales: 'hello@example.com',
    privacy: 'privacy@example.com',
    security: 'security@example.com',
  },
  /** Who reads a change of the content before it is merged. */
  owners: {
    editors: 'editors@example.com',
    clinicians: 'clinicians@example.com',
    counsel: 'counsel@example.com',
    finance: 'finance@example.com',
    security: 'security@example.com',
  },
  address: null,
  social: {},
  booking: {
    minutes: 30,
    retentionDays: 365,
    /** In which the hours below are meant. A person picks in their own. */
    timeZone: 'America/New_York',
    /** When calls may begin and must have ended, from Monday; a day may have several stretches. */
    hours: {
      monday: ['09:00-12:00', '13:00-17:00'],
      tuesday: ['09:00-12:00', '13:00-17:00'],
      wednesday: ['09:00-12:00', '13:00-17:00'],
      thursday: ['09:00-12:00', '13:00-17:00'],
      friday: ['09:00-12:00', '13:00-16:00'],
      saturday: [],
      sunday: [],
    },
    /** Days without calls, as they come. */
    closed: ['2026-11-26', '2026-11-27', '2026-12-24', '2026-12-25', '2026-12-31', '2027-01-01'],
    /** A call is booked at least so long before, and at most so many days ahead. */
    noticeHours: 4,
    daysAhead: 31,
    /** Where it takes place, as invitations say it. */
    place: 'By video. The link to join comes by email before the call.',
  },
  /** When somebody has to confirm that the address for reports is still read. */
  securityTxtExpires: '2027-11-20',
  contentSignal: { search: true, aiInput: true, aiTrain: false },
}
