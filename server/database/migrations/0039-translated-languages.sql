-- The server knows which languages have a catalogue. An account keeps its language if the catalogue is removed, and
-- reads the web in the browser's language meanwhile.
alter table accounts
  drop constraint accounts_language,
  add constraint accounts_language check (language = 'as-it-comes' or language ~ '^[a-z]{2}$');
