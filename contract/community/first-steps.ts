import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'

export const getFirstStepsOperation = defineOperation({
  name: 'getFirstSteps',
  method: 'GET',
  path: '/community/first-steps',
  who: 'operator',
  input: z.object({}),
  output: z.object({
    hidden: z.boolean(),
    /** True if somebody else has joined or has an invitation. */
    invited: z.boolean(),
    hasModerator: z.boolean(),
    /** `works` means that an operator has verified an address by email. */
    email: z.enum(['missing', 'untested', 'works']),
  }),
  limit: 'read',
})
export type FirstSteps = z.infer<typeof getFirstStepsOperation.output>

export const hideFirstStepsOperation = defineOperation({
  name: 'hideFirstSteps',
  method: 'DELETE',
  path: '/community/first-steps',
  status: 204,
  who: 'operator',
  input: z.object({}),
  output: z.void(),
  limit: 'write',
})
