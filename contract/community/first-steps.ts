/** The operator's first steps after the set-up, shown on Home until they are done or hidden. */
import * as z from 'zod/mini'
import { defineOperation } from '../operation.ts'

/** For an operator; everybody else gets 404. */
export const getFirstStepsOperation = defineOperation({
  name: 'getFirstSteps',
  method: 'GET',
  path: '/community/first-steps',
  input: z.object({}),
  output: z.object({
    hidden: z.boolean(),
    /** Somebody else has joined, or has an invitation. */
    invited: z.boolean(),
    hasModerator: z.boolean(),
    /** `works` once an operator confirmed an address by an email from here; `missing` without a mail server. */
    email: z.enum(['missing', 'untested', 'works']),
  }),
  errors: ['general_route_not_found'],
  limit: 'read',
})
export type FirstSteps = z.infer<typeof getFirstStepsOperation.output>

/** Hides the list for every operator. */
export const hideFirstStepsOperation = defineOperation({
  name: 'hideFirstSteps',
  method: 'DELETE',
  path: '/community/first-steps',
  status: 204,
  input: z.object({}),
  output: z.void(),
  errors: ['general_route_not_found'],
  limit: 'write',
})
