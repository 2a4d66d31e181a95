/** The only place that knows who we are: a rename is a change of this file and of nothing else. */
export default {
  name: 'Example Health',
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
  address: null,
  social: {},
  booking: { minutes: 30, retentionDays: 365 },
  /** When somebody has to confirm that the address for reports is still read. */
  securityTxtExpires: '2027-11-20',
  contentSignal: { search: true, aiInput: true, aiTrain: false },
}
