-- One kind more of notification: somebody was named in a photo and is asked for her yes.
alter table notifications drop constraint notifications_kind,
  add constraint notifications_kind check (kind in ('like', 'follow', 'follow-request', 'join-request', 'join-approved',
    'group-post', 'mention', 'message-request', 'new-device', 'photo-tag')) not valid;
alter table notifications validate constraint notifications_kind;
