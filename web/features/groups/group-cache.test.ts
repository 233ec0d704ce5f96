import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { groupQueryKeys } from '#web/api/query-keys.ts'
import { invalidateGroups, removeRowFromPages } from './group-cache.ts'

test("GREQ-19 deciding one of ana's two join requests keeps the other request", () => {
  const rows = [
    { $id: 'r1', userId: 'ana', groupId: 'tejer' },
    { $id: 'r2', userId: 'ana', groupId: 'leer' },
  ]
  const list = { pages: [{ documents: rows, next: null }], pageParams: [undefined] }
  expect(removeRowFromPages(list, 'r1').pages[0]?.documents).toEqual([rows[1]])
})

test('CACHE-06 GREQ-01 a member who asks to join while the group’s page loads appears on it', async () => {
  const client = new QueryClient()
  const asked: ((pending: number) => void)[] = []
  const queryFn = () => new Promise<number>((answer) => asked.push(answer))
  const page = new QueryObserver(client, { queryKey: groupQueryKeys.one('tejer'), queryFn })
  page.subscribe(() => {})
  void invalidateGroups(client)
  asked[0]?.(0)
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.(1)
  await expect.poll(() => page.getCurrentResult().data).toBe(1)
})
