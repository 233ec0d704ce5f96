import { afterAll, expect } from 'vitest'
import { drainSpecViolations } from './record-spec-violations.ts'

afterAll(() => {
  expect(drainSpecViolations(), 'answers that differ from the published description').toEqual([])
})
