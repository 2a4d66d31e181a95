-- Deliveries of one event type, the newest first: without it, a type that occurs seldom was looked
-- for among all deliveries.
create index deliveries_by_type on deliveries (tenant, event_type, id);
