/**
 * The people of the matrix and what is theirs: one world in which every column has somebody. Knit is the group, ana the
 * author and owner, and every picture a real one.
 */
import { openConversation, sendMessage } from '#contract/chat.ts'
import { leaveGroup, removeMember } from '#contract/group-members.ts'
import { rejectRequest, requestToJoin } from '#contract/group-requests.ts'
import { updateGroup } from '#contract/groups.ts'
import { uploadChunkBytes } from '#contract/limits.ts'
import { catchUp } from '#contract/live.ts'
import { follow, updatePerson } from '#contract/people.ts'
import { createPost, likePost, savePost } from '#contract/posts.ts'
import { documentsOf, equal } from '../appwrite/documents.ts'
import { admit, groupOf, postIn, readyPicture } from '../groups.ts'
import { asking, type Person } from '../person.ts'
import { jpeg, padPng, png } from '../pictures.ts'
import { pieceOf, send } from '../uploading.ts'
import type { World } from '../world.ts'
import { type Column, matrix, type RowId } from './table.ts'

export const secret = 'Secreto de Knit'
export const open = 'Plaza abierta'

export type Cast = Awaited<ReturnType<typeof gather>>

/**
 * Everybody acts, and then things are as the columns say.
 * @param site the address of a path of a site elsewhere
 */
export async function gather(w: World, site: (path: string) => string) {
  const visitor: Person = { id: '', accountId: '', name: 'Visitor', email: '', cookie: '', ...w.visitor }
  const names = ['Ana', 'Bea', 'Eva', 'Fio', 'Ola', 'Mia', 'Xia', 'Lia', 'Rita', 'Gala', 'Boss', 'Pia']
  const people = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name.toLowerCase(), await w.join(name)] as const)),
  ) as Record<string, Person>
  const who = (name: string) => people[name] as Person
  const [ana, bea, fio, ola, mia] = [who('ana'), who('bea'), who('fio'), who('ola'), who('mia')]
  const [xia, lia, rita, gala, boss] = [who('xia'), who('lia'), who('rita'), who('gala'), who('boss')]
  const pia = who('pia')
  const { position } = await ana.call(catchUp, {})

  const knit = await groupOf(gala, ana, mia, ola, xia, lia)
  const other = await groupOf(boss)
  await gala.call(updateGroup, { groupId: knit, imageId: await gala.upload(await jpeg('#1133aa')) })
  const { imageId: groupImage } = await gala.call(updateGroup, { groupId: knit, name: 'Knit' })
  const portrait = await ana.upload(await jpeg('#aa3311'))
  await ana.call(updatePerson, { personId: ana.id, imageId: portrait })

  const post = async (author: Person, caption: string, groupId: string | null) => {
    const imageId = await author.upload(await png())
    return await author.call(createPost, { caption, location: 'Aquí', tags: [], imageId, groupId })
  }
  const shown = await post(ana, open, null)
  const kept = await post(ana, secret, knit)
  const left = await post(ola, secret, knit)
  // They keep these marks when they lose sight of the post (reading R-05).
  for (const person of [ana, mia, xia, lia, gala]) {
    await person.call(likePost, { postId: kept.$id })
    await person.call(savePost, { postId: kept.$id })
  }
  await ola.call(likePost, { postId: left.$id })
  await ola.call(savePost, { postId: left.$id })

  await fio.call(follow, { personId: ana.id })
  const { $id: talk } = await ana.call(openConversation, { personId: bea.id })
  const message = await ana.call(sendMessage, { conversationId: talk, content: 'Solo para bea' })

  await gala.call(removeMember, { groupId: knit, memberId: xia.id })
  for (const gone of [lia, ola]) await gone.call(leaveGroup, { groupId: knit })
  const ofRita = await rita.call(requestToJoin, { groupId: knit })
  await gala.call(rejectRequest, { requestId: ofRita.$id })
  const request = await pia.call(requestToJoin, { groupId: knit })

  const unattached = await ana.upload(await jpeg('#22aa44'))
  const large = padPng(await png('#445566'), uploadChunkBytes + 100)
  const begun = await send(ana, pieceOf(large, 0))

  const spares = new Map(
    await Promise.all(
      Object.values(people).map(
        async (person) => [person.id, await readyPicture(w.database, person)] as const,
      ),
    ),
  )

  const oneOf = async (person: Person, collection: string, ...queries: string[]) =>
    (await documentsOf(person, collection).all(...queries))[0]?.$id ?? ''

  const anonymous = await w.visitor.request('POST', '/v1/account/sessions/anonymous', {})
  const cookie = (anonymous.headers['set-cookie'] ?? '').split(';')[0] ?? ''

  /** Who acts in a column, unless a row has its own. */
  const columns: Record<Column, Person[]> = {
    V: [visitor, { ...visitor, name: 'Anonymous', cookie, ...asking(w.app, cookie) }],
    S: [who('eva'), pia],
    F: [fio],
    O: [ana],
    L: [ola],
    P: [bea],
    M: [mia],
    X: [xia, lia, rita],
    A: [gala],
    B: [boss],
  }

  return {
    w,
    site,
    ...{ visitor, ana, bea, fio, ola, mia, gala, boss, pia, eva: who('eva') },
    columns,
    /** Where the stream of changes stood before anything happened. */
    position,
    ...{ knit, other, groupImage: groupImage ?? '', portrait },
    ...{ shown, kept, left, talk, message, request: request.$id, unattached },
    /** A file of two pieces of which one arrived. */
    unfinished: { id: begun.body.$id, bytes: large },
    save: await oneOf(ana, 'saves', equal('user', ana)),
    follow: await oneOf(fio, 'follows', equal('followerId', fio), equal('followingId', ana)),
    membership: await oneOf(mia, 'groupMembers', equal('groupId', knit), equal('userId', mia)),
    admins: await oneOf(mia, 'groupMembers', equal('groupId', knit), equal('userId', gala)),

    /** A picture of hers that no record uses. */
    spareOf: ({ id }: Person) => spares.get(id) ?? unattached,

    /** A post by its author in the group, also where she has left it since. */
    async postOf(author: Person, groupId: string | null): Promise<string> {
      if (author !== ola || groupId === null) return await postIn(w.database, author, groupId)
      await admit(gala, ola, groupId)
      const id = await postIn(w.database, ola, groupId)
      await ola.call(leaveGroup, { groupId })
      return id
    },
  }
}

/** Who stands in the columns of a row. */
export function castOf(cast: Cast, row: RowId): Cast['columns'] {
  const { ana, eva, fio, mia, pia } = cast
  const own: Record<string, Partial<Cast['columns']>> = {
    membership: { O: [mia], M: [ana] },
    'request to join': { S: [eva], O: [pia] },
    // Who follows and who is followed.
    follow: { O: [fio, ana] },
  }
  // She is let in while they listen.
  if (row === 'RT5 membership') return { ...cast.columns, S: [eva], O: [pia] }
  return { ...cast.columns, ...own[matrix[row].on] }
}
