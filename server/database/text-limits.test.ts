import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { messageContentSchema } from '#contract/chat/messages.ts'
import { commentContentSchema, createCommentOperation } from '#contract/comments/comments.ts'
import * as fields from '#contract/field-schemas.ts'
import * as limits from '#contract/limits.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import {
  createGroupWithMembers,
  createPostInGroup,
  insertUploadedImageRow,
} from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const emoji = '😀'
const texts: [string, z.ZodMiniType<string, string>, { min?: number; max: number }, string | null][] = [
  ['a name', fields.personNameSchema, limits.personNameLengthLimits, 'users.name'],
  ['a bio', fields.bioSchema, { max: limits.maxBioLength }, 'users.bio'],
  ['a caption', fields.captionSchema, limits.captionLengthLimits, 'posts.caption'],
  ['a location', fields.locationSchema, limits.locationLengthLimits, 'posts.location'],
  ['a description', fields.altTextSchema, { max: limits.maxAltTextLength }, null],
  ['a group’s name', fields.groupNameSchema, limits.groupNameLengthLimits, 'groups.name'],
  [
    'a group’s description',
    fields.groupDescriptionSchema,
    { max: limits.maxGroupDescriptionLength },
    'groups.description',
  ],
  ['a message', messageContentSchema, limits.messageLengthLimits, 'messages.content'],
  ['a comment', commentContentSchema, limits.commentLengthLimits, 'comments.content'],
  ['a password', fields.passwordSchema, limits.passwordLengthLimits, null],
]

describe('ERR-13 an emoji counts as two characters', () => {
  test.each(texts)('an emoji counts as two characters in %s', (_name, schema, { min = 0, max }) => {
    for (const [text, isTaken] of [
      [emoji.repeat(max / 2), true],
      [`${emoji.repeat(max / 2)}a`, false],
      [emoji.repeat(max / 2 + 1), false],
      [emoji.repeat(Math.ceil(min / 2)), true],
      [emoji.repeat(Math.max(0, Math.ceil(min / 2) - 1)), min < 2],
    ] as const)
      if (text !== '') expect([text.length, schema.safeParse(text).success]).toEqual([text.length, isTaken])
  })
})

test('ERR-13 the database refuses new texts over the limit and keeps existing longer texts', async () => {
  const group = await createGroupWithMembers(ana)
  const postId = await createPostInGroup(w.database, ana, null)
  const bea = await w.join('Bea')
  await bea.call(createCommentOperation, { postId, content: 'hola' })
  for (const [name, , { max }, column] of texts) {
    const [table, field] = column?.split('.') ?? []
    if (!table || !field || table === 'messages') continue
    const write = (text: string) => w.database.pool.query(`update ${table} set ${field} = $1`, [text])
    await write(emoji.repeat(max / 2))
    await expect(write(emoji.repeat(max / 2 + 1)), name).rejects.toMatchObject({ code: '23514' })
  }
  await w.database.pool.query('alter table posts disable trigger user')
  await w.database.pool.query('update posts set caption = $1', [emoji.repeat(1101)])
  await w.database.pool.query('alter table posts enable trigger user')
  await bea.request('PUT', `/v1/posts/${postId}/like`)
  expect((await bea.request<{ likeCount: number }>('GET', `/v1/posts/${postId}`)).status).toBe(200)
  expect(group).toBeTruthy()
})

test('ERR-13 ana can post a caption of three emoji, but not a comment of 501 emoji, through both APIs', async () => {
  const content = { location: 'Casa', tags: [] }
  const imageId = await insertUploadedImageRow(w.database, ana)
  expect((await ana.ask(createPostOperation, { ...content, caption: emoji.repeat(3), imageId })).status).toBe(
    201,
  )
  const second = await insertUploadedImageRow(w.database, ana)
  const refused = {
    status: 400,
    body: { message: expect.stringContaining('Minimum 5 characters.'), field: 'caption' },
  }
  expect(
    await ana.ask(createPostOperation, { ...content, caption: emoji.repeat(2), imageId: second }),
  ).toMatchObject(refused)
  const document = (caption: string) =>
    ana.request('POST', '/v1/databases/main/collections/posts/documents', {
      documentId: 'unique()',
      data: { ...content, caption, creator: ana.id, imageId: second },
    })
  expect(await document(emoji.repeat(2))).toMatchObject(refused)
  expect((await document(emoji.repeat(3))).status).toBe(201)
  const postId = await createPostInGroup(w.database, ana, null)
  expect(await ana.ask(createCommentOperation, { postId, content: emoji.repeat(501) })).toMatchObject({
    status: 400,
    body: { field: 'content', message: 'Maximum 1000 characters.' },
  })
})
