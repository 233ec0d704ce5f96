/**
 * Inserts pictures with the numbers `$1` to `$2`, and returns their ids.
 * @param prefix precedes the number in each id
 * @param owner SQL for the owner's key, in which `n` is the number
 */
export const buildInsertUnusedPicturesSql = (prefix: string, owner: string): string => `
  insert into files (public_id, owner_id, state, name, storage_key, announced_size, size, chunks_total, mime_type,
    signature, sha256, width, height, thumbhash)
  select '${prefix}' || n, ${owner}, 'ready', 'photo.jpg', md5('${prefix}' || n), 900000, 900000, 1, 'image/jpeg',
    md5(n::text), sha256(n::text::bytea), 3000, 4000, decode('3ff8050bd8787b78707787f807a758f767', 'hex')
  from generate_series($1::int, $2::int) n returning public_id as id`
