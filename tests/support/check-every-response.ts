/** Before every test file: one whose servers answered other than the dialect's published description fails at its end. */
import { afterAll, expect } from 'vitest'
import { takeSpecViolations } from './record-spec-violations.ts'

afterAll(() => {
  expect(takeSpecViolations(), 'answers that differ from the published description').toEqual([])
})
