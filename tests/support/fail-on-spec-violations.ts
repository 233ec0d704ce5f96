/** Before every test file: one whose servers answered other than the dialect's published description fails at its end. */
import { afterAll, expect } from 'vitest'
import { drainSpecViolations } from './record-spec-violations.ts'

afterAll(() => {
  expect(drainSpecViolations(), 'answers that differ from the published description').toEqual([])
})
