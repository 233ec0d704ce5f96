import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { permissionMatrix } from '#scripts/docs/permission-matrix.ts'
import { plantedFaults } from '#scripts/mutants/faults.ts'
import { replaceOnce } from '#scripts/mutants/replace-once.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

test('the text that each fault replaces occurs once in the code', () => {
  const misplaced = plantedFaults.flatMap(({ name, file, find, replace }) => {
    try {
      return replaceOnce(read(file), find, replace) === read(file) ? [`${name}: changes nothing`] : []
    } catch (error) {
      return [`${name}: ${(error as Error).message}`]
    }
  })
  expect(misplaced).toEqual([])
})

test('each fault has a unique name, and its test exists in the listed file', () => {
  expect(new Set(plantedFaults.map(({ name }) => name)).size).toBe(plantedFaults.length)
  // Titles in tables contain `%s`, so only their words are compared. Titles of the matrix begin with the row.
  const rows = Object.entries(permissionMatrix).map(([id, { on, does }]) => `${id} ${on}, ${does}`)
  const words = (text: string) => text.split(' ').filter((word) => word.length > 3)
  const missing = plantedFaults.filter(({ red: [file, title] }) =>
    file === 'tests/security/authorization/matrix.test.ts'
      ? !rows.includes(title)
      : !words(title).every((word) => read(file).includes(word)),
  )
  expect(missing.map(({ name }) => name)).toEqual([])
})
