-- For invoices, which are made of the charges of every tenant of an integration, retired ones
-- included: the other indexes of tenants leave these out.
create index concurrently tenants_of_integration on live.tenants (integration);
