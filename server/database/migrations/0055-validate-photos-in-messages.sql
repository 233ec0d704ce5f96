-- Checks what stands, in a transaction of its own: beside the changes before, nobody could read or write messages meanwhile.

alter table messages validate constraint messages_content;
alter table files validate constraint files_purpose;
