-- A delivery with its resource shows the invoice of a charge, as the API does: the worker reads the
-- lines of the tenant that it is set to. The table was made anew without that right.
create policy worker on invoice_lines for select to app_worker_{mode}
  using (charge_tenant = public.current_tenant());
grant select on invoice_lines to app_worker_{mode};
