import { expect, test } from 'vitest'
import { groupFormSchema } from './group-form-schema.ts'

test("GCRE-02 GCRE-03 GCRE-04 a group's name has 1 to 50 characters, and its description at most 200", () => {
  const faults = (name: string, description = '') =>
    groupFormSchema
      .safeParse({ name, description, photo: null })
      .error?.issues.map(({ message }) => message) ?? []
  expect(faults('  ')).toEqual(['Group name is required'])
  expect(faults('a'.repeat(50), 'b'.repeat(200))).toEqual([])
  expect(faults('a'.repeat(51))).toEqual(['Maximum 50 characters'])
  expect(faults('Tejer', 'b'.repeat(201))).toEqual(['Maximum 200 characters'])
})
