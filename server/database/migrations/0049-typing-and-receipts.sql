-- Whether a member shows that a message is being written, and that messages were read. Each holds between two members who both do.

alter table users
  add column shows_typing boolean not null default false,
  add column shows_receipts boolean not null default true;

alter table conversations
  -- How far the other is told that each has read; null as far as the read mark. It stays behind once either of the two shows no
  -- receipts, and goes on with the first message that is read after both do.
  add column low_receipt_id bigint,
  add column high_receipt_id bigint;

-- Lets a receipt follow its read mark, or leaves it where the mark was, whichever statement moves the mark.
create function keep_receipts() returns trigger language plpgsql as $$
declare
  kept boolean := exists (select from users where id in (new.low_id, new.high_id) and not shows_receipts);
begin
  if new.low_read_id > old.low_read_id then
    new.low_receipt_id := case when kept then coalesce(old.low_receipt_id, old.low_read_id) end;
  end if;
  if new.high_read_id > old.high_read_id then
    new.high_receipt_id := case when kept then coalesce(old.high_receipt_id, old.high_read_id) end;
  end if;
  return new;
end $$;
create trigger conversations_receipts before update of low_read_id, high_read_id on conversations for each row
  when (new.low_read_id > old.low_read_id or new.high_read_id > old.high_read_id) execute function keep_receipts();
