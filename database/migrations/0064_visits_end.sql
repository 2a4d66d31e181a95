-- Visits and what is charged for them end as every sandbox row does. In test no invoice is ever
-- made, so there is none to count.
select test.ends('visits', 130, 'true');
select test.ends('invoice_lines', 140);
select test.ends('invoices', 150);
select test.ends('charges', 160, 'true');
