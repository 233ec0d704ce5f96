-- A reusable invitation lets in everyone who has its link until it ends; only operators make them.
alter table invitations
  add column reusable boolean not null default false,
  add column uses int not null default 0 constraint invitations_uses check (uses >= 0);

-- When an operator hid the list of first steps.
alter table community add column first_steps_hidden_at timestamptz(3);
