import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { createGroupOperation, type Group, listGroupPostsOperation } from '#contract/groups.ts'
import type { Post, PostPage } from '#contract/posts.ts'
import type { CollectionChange } from '#contract/realtime.ts'
import { setupBrowserWithServer } from '#tests/support/browser-globals.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { groupQueryKeys, postQueryKeys } from '#web/api/query-keys.ts'
import { formatBadgeCount, formatMemberCount } from './format-counts.ts'
import { removeRowFromPages } from './group-cache.ts'
import { getGroupErrorMessage } from './group-error-message.ts'
import { groupFormSchema } from './group-form-schema.ts'
import { decideJoinRequest, sendJoinRequest } from './mutations.ts'
import { purgeLeftGroupPosts } from './purge-left-groups.ts'

const at = setupBrowserWithServer()

test('GRP-10 one is a member, none and more are members', () => {
  expect([0, 1, 2].map(formatMemberCount)).toEqual(['0 members', '1 member', '2 members'])
})

test('GPAGE-06 a badge has room for two digits', () => {
  expect([3, 99, 100].map(formatBadgeCount)).toEqual(['3', '99', '99+'])
})

test('GRP-24 nothing is sent while it is not known who asks', async () => {
  let asked = 0
  at.answer = (_, answer) => {
    asked += 1
    answer.writeHead(201, { 'content-type': 'application/json' }).end('{}')
  }
  expect(await sendJoinRequest('tejer', '')).toBeUndefined()
  expect(asked).toBe(0)
  await sendJoinRequest('tejer', 'ana')
  expect(asked).toBe(1)
})

test('GREQ-19 two requests of ana are two rows: deciding one leaves the other', () => {
  const rows = [
    { $id: 'r1', userId: 'ana', groupId: 'tejer' },
    { $id: 'r2', userId: 'ana', groupId: 'leer' },
  ]
  const list = { pages: [{ documents: rows, next: null }], pageParams: [undefined] }
  expect(removeRowFromPages(list, 'r1').pages[0]?.documents).toEqual([rows[1]])
})

const ended = (userId: string, groupId: string | null): CollectionChange => ({
  collection: 'groupMembers',
  kind: 'delete',
  document: { $id: 'm1', userId, groupId },
})

test('PERM-05 R02 who hears that she is out of a group keeps none of the others’ posts, and all of her own', () => {
  const post = (id: string, groupId: string | null, hers: boolean) =>
    ({ $id: id, groupId, can: { edit: hers, delete: hers } }) as Post
  const [theirs, hers, open] = [post('p1', 'g1', false), post('p2', 'g1', true), post('p3', null, false)]
  const client = new QueryClient()
  client.setQueryData(postQueryKeys.feed, {
    pages: [{ documents: [theirs, hers, open, post('p4', 'g2', false)], next: null }],
    pageParams: [undefined],
  })
  client.setQueryData(postQueryKeys.one('p1'), theirs)
  client.setQueryData(postQueryKeys.one('p2'), hers)
  client.setQueryData(postQueryKeys.ofGroup('g1'), { pages: [{ documents: [theirs, hers], next: null }] })
  client.setQueryData(groupQueryKeys.one('g1'), { $id: 'g1', membership: 'member' } as Group)
  // What is on the screen stays, but for what she may not see; the rest is asked for again when it is wanted.
  const unanswered = () => new Promise(() => {})
  const watching = [postQueryKeys.feed, postQueryKeys.one('p1'), postQueryKeys.one('p2')].map((queryKey) =>
    new QueryObserver(client, { queryKey, queryFn: unanswered, staleTime: Infinity }).subscribe(() => {}),
  )
  const seen = () =>
    client.getQueryData<{ pages: PostPage[] }>(postQueryKeys.feed)?.pages[0]?.documents.map(({ $id }) => $id)
  // Another's end of membership, and the end of a whole group, take nothing away by themselves.
  purgeLeftGroupPosts(client, 'me', [ended('eva', 'g1'), ended('me', null)])
  expect(seen()).toEqual(['p1', 'p2', 'p3', 'p4'])
  expect(client.getQueryState(postQueryKeys.feed)?.isInvalidated).toBe(true)
  purgeLeftGroupPosts(client, 'me', [ended('me', 'g1')])
  expect(seen()).toEqual(['p2', 'p3', 'p4'])
  expect(client.getQueryData(postQueryKeys.one('p1'))).toBeUndefined()
  expect(client.getQueryData(postQueryKeys.ofGroup('g1'))).toBeUndefined()
  expect(client.getQueryData<Group>(groupQueryKeys.one('g1'))?.membership).toBe('none')
  for (const stop of watching) stop()
})

test('GCRE-02 GCRE-03 GCRE-04 a name of 1 to 50, a description of at most 200', () => {
  const faults = (name: string, description = '') =>
    groupFormSchema
      .safeParse({ name, description, photo: null })
      .error?.issues.map(({ message }) => message) ?? []
  expect(faults('  ')).toEqual(['Group name is required'])
  expect(faults('a'.repeat(50), 'b'.repeat(200))).toEqual([])
  expect(faults('a'.repeat(51))).toEqual(['Maximum 50 characters'])
  expect(faults('Tejer', 'b'.repeat(201))).toEqual(['Maximum 200 characters'])
})

describe('what a refusal says', () => {
  const body = (message: string, type: string) => new ApiError(message, 409, type, { message, type })

  test('GRP-21 the server’s sentence, in Spanish where it is', () => {
    expect(
      getGroupErrorMessage(body('Ya eres miembro de este grupo', 'group_already_member'), 'ours'),
    ).toEqual({
      text: 'Ya eres miembro de este grupo',
      textLang: 'es',
    })
    expect(getGroupErrorMessage(body('Group not found', 'group_not_found'), 'ours')).toEqual({
      text: 'Group not found',
    })
  })

  test('GRP-20 ours when there is none: no answer, a masked fault, a page of a proxy', () => {
    for (const error of [
      new ApiError('Network request failed'),
      new ApiError('Server Error', 500, 'general_unknown', { message: 'Server Error' }),
      new ApiError('<h1>Bad gateway</h1>', 502, '', '<h1>Bad gateway</h1>'),
      body('', 'group_not_found'),
    ]) {
      expect(getGroupErrorMessage(error, 'ours')).toEqual({ text: 'ours' })
    }
  })
})

test('ERR-05 create, request, approve, reject and group posts reject with the message', async () => {
  const message = 'Solo el admin del grupo puede aprobar solicitudes'
  at.answer = (_, answer) => {
    answer.writeHead(403, { 'content-type': 'application/json' })
    answer.end(JSON.stringify({ message, code: 403, type: 'group_approve_admin_required', version: '1' }))
  }
  for (const attempt of [
    () => callApiOperation(createGroupOperation, { name: 'Tejer', description: '' }),
    () => sendJoinRequest('tejer', 'ana'),
    () => decideJoinRequest('approve', 'r1', 'ana'),
    () => decideJoinRequest('reject', 'r1', 'ana'),
    () => callApiOperation(listGroupPostsOperation, { groupId: 'tejer' }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ message, code: 403 })
  }
})
