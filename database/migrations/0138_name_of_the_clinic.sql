-- A record that the console exports names the clinic that it is of.
grant select (name) on auth.organizations to app_console;
