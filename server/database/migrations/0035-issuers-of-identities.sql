-- A provider's subject is unique only at its issuer. The next start stores the configured issuer in the rows that have
-- none, and '' in those of a provider that is not configured then: nobody signs in with those.
alter table identities
  add column issuer text collate "C" constraint identities_issuer_length check (char_length(issuer) <= 2048),
  drop constraint identities_subject,
  add constraint identities_subject unique nulls not distinct (provider, issuer, provider_uid);
