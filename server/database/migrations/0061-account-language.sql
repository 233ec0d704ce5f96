-- In which set of texts a member reads the web; null until one is chosen, which leaves it to the browser.

alter table accounts add column language text
  constraint accounts_language check (language in ('as-it-comes', 'es', 'en'));
