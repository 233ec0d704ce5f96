import { expect, test } from 'vitest'
import { removeRowFromPages } from './group-cache.ts'

test("GREQ-19 deciding one of ana's two join requests keeps the other request", () => {
  const rows = [
    { $id: 'r1', userId: 'ana', groupId: 'tejer' },
    { $id: 'r2', userId: 'ana', groupId: 'leer' },
  ]
  const list = { pages: [{ documents: rows, next: null }], pageParams: [undefined] }
  expect(removeRowFromPages(list, 'r1').pages[0]?.documents).toEqual([rows[1]])
})
