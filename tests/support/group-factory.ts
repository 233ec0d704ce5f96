import { randomBytes } from 'node:crypto'
import type { MemberClient } from '#api-client/member-client.ts'
import { approveJoinRequestOperation, requestToJoinOperation } from '#contract/groups/group-requests.ts'
import { createGroupOperation } from '#contract/groups/groups.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import type { Database } from '#server/database/open-database.ts'
import { generateId } from '#server/ids.ts'

export async function createGroupWithMembers(
  admin: MemberClient,
  ...members: MemberClient[]
): Promise<string> {
  const { $id } = await admin.call(createGroupOperation, { name: `Tejer ${generateId(6)}` })
  for (const member of members) await admitMemberToGroup(admin, member, $id)
  return $id
}

export async function admitMemberToGroup(
  admin: MemberClient,
  member: MemberClient,
  groupId: string,
): Promise<void> {
  const { $id } = await member.call(requestToJoinOperation, { groupId })
  await admin.call(approveJoinRequestOperation, { requestId: $id })
}

/** Inserts a completed upload without bytes. @returns the file's id */
export async function insertUploadedImageRow({ pool }: Database, owner: MemberClient): Promise<string> {
  const id = generateId()
  await pool.query(
    `insert into files (public_id, owner_id, state, name, storage_key, announced_size, size, chunks_total, mime_type,
       signature, sha256, width, height, thumbhash)
     select $1::text, id, 'ready', 'foto.jpg', $2, 9, 9, 1, 'image/jpeg', md5($1::text), sha256($1::text::bytea), 4, 3, 'pixels'::bytea
     from users where public_id = $3`,
    [id, randomBytes(16).toString('hex'), owner.id],
  )
  return id
}

export async function createPostInGroup(
  database: Database,
  author: MemberClient,
  groupId: string | null,
): Promise<string> {
  const imageId = await insertUploadedImageRow(database, author)
  const content = { caption: 'Una tarde juntas', location: 'Casa', tags: [] }
  const { $id } = await author.call(createPostOperation, { ...content, imageId, groupId })
  return $id
}
